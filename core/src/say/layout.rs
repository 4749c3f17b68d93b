//! Tables that can't be right.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::{Lang, Say};
use crate::intern::{Interner, Name};
use crate::units::{Address, Bytes, Offset};

/// What is wrong with a row.
#[derive(Clone, Debug, PartialEq)]
pub enum Layout {
    /// A block ends behind its area.
    BlockOutside {
        /// Node.
        node: Name,
        /// First byte behind the block.
        end: Offset,
        /// Size of the area.
        area: Bytes,
    },
    /// A block does not start at a multiple of 512.
    Misaligned {
        /// Node.
        node: Name,
        /// Place.
        offset: Offset,
    },
    /// A life ends before it begins.
    LifeReversed {
        /// Node.
        node: Name,
        /// First use.
        begin: u32,
        /// Last use.
        end: u32,
    },
    /// Address minus base is not the compile-time offset.
    AddressMismatch {
        /// Node.
        node: Name,
        /// Address.
        address: Address,
        /// First byte of the area.
        base: Address,
        /// Compile-time offset.
        offset: Offset,
    },
    /// An address lies in no area of its graph.
    AddressOutside {
        /// Node.
        node: Name,
        /// Address.
        address: Address,
        /// First byte of the feature map.
        base: Address,
        /// Its size.
        size: Bytes,
    },
    /// GE could not resolve an address.
    Unresolved {
        /// Node.
        node: Name,
        /// Place asked for.
        offset: Offset,
    },
}

impl Say for Layout {
    fn sentence(&self, names: &Interner, lang: Lang) -> String {
        match self {
            Layout::BlockOutside { node, end, area } => {
                let node = names.get(*node);
                match lang {
                    Lang::En => {
                        format!("The block of {node} ends at {end}, behind its area of {area} bytes.")
                    }
                    Lang::Zh => format!("{node} 的内存块结束于 {end}，超出了 {area} 字节的区域。"),
                }
            }
            Layout::Misaligned { node, offset } => {
                let node = names.get(*node);
                match lang {
                    Lang::En => {
                        format!("The block of {node} starts at {offset}, which is no multiple of 512.")
                    }
                    Lang::Zh => format!("{node} 的内存块起始于 {offset}，不是 512 的整数倍。"),
                }
            }
            Layout::LifeReversed { node, begin, end } => {
                let node = names.get(*node);
                match lang {
                    Lang::En => {
                        format!("The life of {node} begins at {begin} and ends at {end}, before it began.")
                    }
                    Lang::Zh => format!("{node} 的生命周期从 {begin} 开始，却在 {end} 结束。"),
                }
            }
            Layout::AddressMismatch { node, address, base, offset } => {
                let node = names.get(*node);
                match lang {
                    Lang::En => format!(
                        "{node} got {address}, which is base {base} plus {}, but was compiled for offset {offset}.",
                        *address - *base
                    ),
                    Lang::Zh => format!(
                        "{node} 的地址是 {address}，即基地址 {base} 加 {}，而编译时的偏移是 {offset}。",
                        *address - *base
                    ),
                }
            }
            Layout::AddressOutside { node, address, base, size } => {
                let node = names.get(*node);
                let end = base.plus(*size);
                match lang {
                    Lang::En => format!("{node} got {address}, outside the feature map {base} … {end}."),
                    Lang::Zh => format!("{node} 的地址 {address} 在特征图区域 {base} … {end} 之外。"),
                }
            }
            Layout::Unresolved { node, offset } => {
                let node = names.get(*node);
                match lang {
                    Lang::En => format!("GE found no address for {node}, offset {offset}."),
                    Lang::Zh => format!("GE 未能解析 {node} 的地址，偏移 {offset}。"),
                }
            }
        }
    }

    fn meaning(&self, lang: Lang) -> &'static str {
        match self {
            Layout::AddressMismatch { .. } | Layout::AddressOutside { .. } => lang.pick(
                "The operator works on other bytes than the compiler planned, or lines of two loads are mixed.",
                "算子使用的内存与编译规划不一致，或混入了两次加载的日志。",
            ),
            Layout::Unresolved { .. } => lang.pick("Loading stops here.", "加载在此处失败。"),
            _ => lang.pick(
                "The allocator never writes such a row: the log is damaged, or two graphs are mixed.",
                "分配器不会产生这样的行：日志已损坏，或混入了两个图。",
            ),
        }
    }

    fn formula(&self) -> Option<String> {
        match self {
            Layout::BlockOutside { end, area, .. } => Some(format!("{end} > {area}")),
            Layout::Misaligned { offset, .. } => Some(format!("{offset} % 512 = {}", offset.0 % 512)),
            Layout::AddressMismatch { address, base, offset, .. } => {
                Some(format!("{address} - {base} = {} ≠ {offset}", *address - *base))
            }
            _ => None,
        }
    }

    fn remedies(&self, lang: Lang) -> Vec<String> {
        Vec::from([String::from(lang.pick(
            "Check that the files belong to one run, then compare with the lines around the evidence (gemlens explain).",
            "确认文件来自同一次运行，并用 gemlens explain 查看证据附近的行。",
        ))])
    }
}
