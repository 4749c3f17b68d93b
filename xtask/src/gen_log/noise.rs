//! The lines that say nothing of memory, or nothing that counts: most of a log.

use super::line::Line;
use super::process::Process;
use super::random::Random;

/// Writes one line.
pub fn talk(process: &Process, line: &mut Line<'_>, random: &mut Random) {
    let pid = process.pid;
    let tid = pid + random.below(24);
    let node = random.below(4000);
    let layer = node / 40;
    match random.below(20) {
        0..=3 => {
            let offset = node * 512 * 33;
            line.ge(pid, tid, "task_info.h:135", "GetMemAddr")
                .text("logic_offset:")
                .number(offset)
                .text(", logic_memory_base:0, memory_base:")
                .address(process.feature_map)
                .text(", memory_addr:")
                .address(process.feature_map + offset);
        }
        4..=6 => {
            line.ge(pid, tid, "model_utils.cc:77", "GetVarConstPlaceHolderMemSize")
                .text("GetVarConstPlaceHolderMemSize var_cph_mem_size = 0.");
        }
        7..=9 => {
            line.ge(pid, tid, "block_mem_assigner.cc:3841", "ReleaseInputNodeOutMemory")
                .text("Block of peer out is matched. Peer node:encoder/layer_")
                .number(layer)
                .text("/attention/self/key/MatMulV2, output index:0, current node:encoder/layer_")
                .number(layer)
                .text("/attention/self/key/ConfusionTransposeD, input index:0, block ref_count:1.");
        }
        10..=12 => {
            line.ge(pid, tid, "block_mem_assigner.cc:3565", "ApplyOutMemory")
                .text("Node name: encoder/layer_")
                .number(layer)
                .text("/intermediate/dense/MatMulV2 index:0 size:")
                .number(node * 2080 + 32)
                .text(" ref count: 1, out count: 1 zero copy:0, out node need continuous input 0");
        }
        13 | 14 => {
            line.ge(pid, tid, "block_mem_assigner.cc:2266", "GetNoNeedAssignMemoryFlag")
                .text("bert_base_b32_s128 name[encoder/layer_")
                .number(layer)
                .text("/output/dense/MatMulV2] output[0] no_need_assign_memory:0.");
        }
        15 => {
            line.ge(pid, tid, "compute_graph.cc:1504", "DFSTopologicalSorting")
                .text("Runing_Dfs_Sort, reverse: 0, graph: partition_")
                .number(node);
        }
        16 => {
            line.runtime(pid, tid, "task_submit.cc:218", "SubmitTask")
                .text("device_id=0, stream_id=")
                .number(layer)
                .text(", task_id=")
                .number(random.below(65_536))
                .text(", task_type=KERNEL_AICORE, sqe submitted.");
        }
        17 => {
            line.header("INFO", "FE", pid)
                .text("[op_kernel_store.cc:411]")
                .number(tid)
                .text(" CheckSupported:op[encoder/layer_")
                .number(layer)
                .text("/output/LayerNorm] is supported by the op store[tbe-builtin].");
        }
        18 => {
            line.header("INFO", "PROFILING", pid)
                .text("[prof_atls_plugin.cpp:210] (tid:")
                .number(tid)
                .text(") Module[")
                .number(random.below(64))
                .text("] register callback of ctrl handle.");
        }
        _ => shapes(pid, tid, node, line, random),
    }
    line.end();
}

/// A long line, up to the length where the logger cuts.
fn shapes(pid: u64, tid: u64, node: u64, line: &mut Line<'_>, random: &mut Random) {
    line.ge(pid, tid, "infershape_pass.cc:377", "PrintInOutTensorShape")
        .text("Node[encoder/layer_")
        .number(node / 40)
        .text("/attention/self/SoftmaxV2] tensors:");
    for n in 0..random.between(3, 9) {
        line.text(" [input_").number(n).text(": shape:[32,12,").number(node % 512);
        line.text(",128] format:ND dtype:DT_FLOAT16 origin_shape:[32,12,128,128] range:[[1,-1]]]");
    }
}
