//! What the load lines say.

use alloc::format;
use alloc::string::String;

use super::Lang;
use super::size::exact;
use crate::model::region::FeatureMapNeed;

/// How much of a feature map was allocated.
pub fn need(need: &FeatureMapNeed, lang: Lang) -> String {
    let (model, allocated, layout) = (need.model, exact(need.allocated), exact(need.layout));
    match lang {
        Lang::En => format!(
            "Model {model}: {allocated} of the layout's {layout} are allocated; the zero-copy part is the user's memory."
        ),
        Lang::Zh => format!("模型 {model}：布局共 {layout}，实际分配 {allocated}；零拷贝部分使用用户内存。"),
    }
}
