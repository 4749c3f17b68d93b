//! The addresses the load lines give, beside the compile-time offsets (analysis rules, R9).

use alloc::vec::Vec;

use crate::model::region::{Area, OperatorAddress, Region, Regions};
use crate::units::Offset;

/// One operator address and the area it lies in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placed {
    /// The load line.
    pub line: OperatorAddress,
    /// The area that holds it.
    pub region: Option<Region>,
    /// Distance from the start of that area.
    pub distance: Option<Offset>,
}

/// Every operator address with the area of its graph that holds it.
pub fn placed(regions: &Regions) -> Vec<Placed> {
    each_placed(regions).collect()
}

/// Every operator address with the area of its graph that holds it, one by one.
pub fn each_placed(regions: &Regions) -> impl Iterator<Item = Placed> {
    regions.addresses.iter().map(|&line| place(regions, line))
}

fn place(regions: &Regions, line: OperatorAddress) -> Placed {
    // A constant lies in the weights; a variable's area has no graph of its own.
    let wanted = match line.area {
        Area::Constant => Area::Weight,
        area => area,
    };
    let holds = |region: &&Region| {
        let distance = (line.address - region.base).0;
        region.base.0 != 0 && distance >= 0 && (distance as u64) < region.size.0.max(1)
    };
    // A later load of the graph gets new areas: the last one that holds the address counts.
    let of_graph = || regions.regions.iter().rev().filter(|region| region.graph == line.graph);
    let region = of_graph()
        .filter(|region| region.area == wanted)
        .find(holds)
        .or_else(|| of_graph().find(holds))
        .copied();
    let distance = region.map(|region| line.address - region.base);
    Placed { line, region, distance }
}

impl Placed {
    /// Whether address and compile-time offset agree; `None` where there is nothing to compare.
    pub fn agrees(&self) -> Option<bool> {
        let region = self.region.filter(|region| region.area == self.line.area)?;
        let offset = self.line.offset?;
        Some(self.line.address - region.base == offset)
    }
}
