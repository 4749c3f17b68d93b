//! Small dumps of both forms, damaged ones, and files that only look like dumps.

use alloc::format;
use alloc::string::String;

use super::*;
use crate::graph::model::AttrValue;
use crate::graph::text::ProblemKind;

fn model(text: &str) -> Model {
    read(text.as_bytes(), SourceId(0)).expect("a dump graph")
}

/// One line an operator: name, type, id, stream, inputs, sizes of outputs.
fn shown(model: &Model) -> String {
    let mut text = String::new();
    for graph in &model.graphs {
        text += &format!("{}:\n", model.names.get(graph.name));
        for op in &graph.ops {
            text += &format!(
                "  {} {} id {} stream {}",
                model.names.get(op.name),
                model.names.get(op.op_type),
                op.id,
                op.stream_id
            );
            for link in &op.inputs {
                text += &format!(" <{}:{}", model.names.get(link.producer), link.output);
            }
            for tensor in &op.output_desc {
                text += &format!(" >{:?}={:?}", tensor.dims, tensor.size);
            }
            text.push('\n');
        }
    }
    text
}

const PROTO: &str = r#"graph {
  name: "g"
  op {
    name: "onnx::a"
    type: "Data"
    input: ""
    output_desc {
      dtype: DT_FLOAT
      shape {
        dim: 4
      }
      size: 64
    }
  }
  op {
    name: "b"
    type: "Add"
    input: "onnx::a:0"
    input: "onnx::a:-1"
    attr {
      key: "reference"
      value {
        b: true
      }
    }
    strange: 7
    id: 1
    stream_id: -1
    output_desc {
      shape {
      }
    }
  }
}
"#;

#[test]
fn the_proto_form() {
    let model = model(PROTO);
    assert_eq!(
        shown(&model),
        "g:\n  onnx::a Data id 0 stream 0 <:0 >[4]=Some(64)\n  \
         b Add id 1 stream -1 <onnx::a:0 <onnx::a:-1 >[]=None\n"
    );
    let op = &model.graphs[0].ops[1];
    assert_eq!(model::attr(&op.attrs, &model.names, "reference"), Some(&AttrValue::Bool(true)));
    assert_eq!(model.names.get(op.unknown[0].name), "strange");
    let span = op.unknown[0].span;
    assert_eq!(&PROTO[span.start as usize..span.end() as usize], "strange: 7");
    let name = op.name_span;
    assert_eq!(&PROTO[name.start as usize..name.end() as usize], "name: \"b\"");
    assert_eq!(PROTO.lines().nth(name.line as usize - 1), Some("    name: \"b\""));
}

#[test]
fn a_cut_file_gives_what_was_whole() {
    let cut = &PROTO[..PROTO.find("reference").expect("in the text")];
    let model = model(cut);
    assert_eq!(shown(&model), "g:\n  onnx::a Data id 0 stream 0 <:0 >[4]=Some(64)\n");
    assert_eq!(model.problems[0].kind, ProblemKind::CutInString);
    assert_eq!((model.problems[0].line, model.problems[0].column), (21, 12));
}

#[test]
fn the_onnx_form() {
    let model = model(
        r#"ir_version: 6
producer_name: "GE"
graph {
  node {
    input: "a:0"
    input: ""
    output: "b:-1"
    name: "b"
    op_type: "ge:Add"
    attribute { name: "id" i: 1 type: INT }
    attribute { name: "output_desc_nums" i: 1 type: INT }
    attribute { name: "output_desc_shape:0" ints: 4 ints: 2 type: INTS }
    attribute { name: "output_desc_size:0" i: 64 type: INT }
    attribute { name: "reference" i: 1 type: INT }
  }
  node {
    name: "sub"
    op_type: "subgraph"
    attribute {
      name: "graph"
      g {
        node { name: "c" op_type: "ge:Data" attribute { name: "stream_id" type: INT } }
        name: "sub"
      }
      type: GRAPH
    }
  }
  name: "root"
}
"#,
    );
    assert_eq!(
        shown(&model),
        "root:\n  b Add id 1 stream 0 <a:0 <:0 >[4, 2]=Some(64)\nsub:\n  c Data id 0 stream 0\n"
    );
}

#[test]
fn look_alikes_are_named() {
    let told = |text: &str| read(text.as_bytes(), SourceId(0)).map(|_| ()).expect_err("no dump");
    assert_eq!(told(""), Lookalike::Empty);
    assert_eq!(told("PK\u{1}\u{2}"), Lookalike::Binary);
    assert_eq!(told("{\"graph\": []}"), Lookalike::Json);
    assert_eq!(told("graph(\"g\"):\n  %a : [#users=1] = Node[type=Data] ()"), Lookalike::GeReadable);
    assert_eq!(told("name: \"graph_1\"\nop {\n}\n"), Lookalike::TorchairGraph);
    assert_eq!(told("node {\n  name: \"a\"\n  op: \"Const\"\n}\n"), Lookalike::TensorFlow);
    assert_eq!(told("name: \"net\"\nlayer {\n}\n"), Lookalike::Caffe);
    assert_eq!(told("ir_version: 7\nproducer_name: \"pytorch\"\n"), Lookalike::ForeignOnnx);
    assert_eq!(told("optimizer:[\"a\"]\n"), Lookalike::Unknown);
}

#[test]
fn no_prefix_of_a_dump_breaks_the_reader() {
    for end in 0..PROTO.len() {
        let _ = read(&PROTO.as_bytes()[..end], SourceId(0));
    }
}
