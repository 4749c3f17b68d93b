//! libstdc++'s `std::sort`, so that equal elements end up where GE leaves them (static allocator S17.1).

use alloc::vec::Vec;

/// Up to this many elements a plain insertion sort does.
const SMALL: usize = 16;

/// Sorts `v` by the strict weak order `less`, with the visiting order of `std::sort`.
pub(crate) fn sort_by<T: Copy>(v: &mut [T], less: impl Fn(&T, &T) -> bool) {
    let len = v.len();
    if len < 2 {
        return;
    }
    let mut work: Vec<(usize, usize, u32)> = Vec::from([(0, len, 2 * len.ilog2())]);
    while let Some((lo, mut hi, mut depth)) = work.pop() {
        while hi - lo > SMALL {
            if depth == 0 {
                heap_sort(&mut v[lo..hi], &less);
                break;
            }
            depth -= 1;
            let cut = partition(v, lo, hi, &less);
            work.push((cut, hi, depth));
            hi = cut;
        }
    }
    let guarded = len.min(SMALL);
    for i in 1..guarded {
        if less(&v[i], &v[0]) {
            v[..=i].rotate_right(1);
        } else {
            insert_unguarded(v, i, &less);
        }
    }
    for i in guarded..len {
        insert_unguarded(v, i, &less);
    }
}

fn insert_unguarded<T: Copy>(v: &mut [T], at: usize, less: &impl Fn(&T, &T) -> bool) {
    let x = v[at];
    let mut hole = at;
    while hole > 0 && less(&x, &v[hole - 1]) {
        v[hole] = v[hole - 1];
        hole -= 1;
    }
    v[hole] = x;
}

/// Partitions around the median of three, which goes to `lo`; gives the cut.
fn partition<T: Copy>(v: &mut [T], lo: usize, hi: usize, less: &impl Fn(&T, &T) -> bool) -> usize {
    let (a, b, c) = (lo + 1, lo + (hi - lo) / 2, hi - 1);
    let median = if less(&v[a], &v[b]) {
        if less(&v[b], &v[c]) {
            b
        } else if less(&v[a], &v[c]) {
            c
        } else {
            a
        }
    } else if less(&v[a], &v[c]) {
        a
    } else if less(&v[b], &v[c]) {
        c
    } else {
        b
    };
    v.swap(lo, median);
    let pivot = v[lo];
    let (mut i, mut j) = (lo + 1, hi);
    loop {
        while i < hi && less(&v[i], &pivot) {
            i += 1;
        }
        j -= 1;
        while j > lo && less(&pivot, &v[j]) {
            j -= 1;
        }
        if i >= j {
            return i;
        }
        v.swap(i, j);
        i += 1;
    }
}

fn heap_sort<T: Copy>(v: &mut [T], less: &impl Fn(&T, &T) -> bool) {
    let len = v.len();
    for hole in (0..=len.saturating_sub(2) / 2).rev() {
        let value = v[hole];
        sift(v, hole, len, value, less);
    }
    for end in (1..len).rev() {
        let value = v[end];
        v[end] = v[0];
        sift(v, 0, end, value, less);
    }
}

/// Lets the hole sink to the bottom, then pushes `value` up from there.
fn sift<T: Copy>(v: &mut [T], top: usize, len: usize, value: T, less: &impl Fn(&T, &T) -> bool) {
    let mut hole = top;
    let mut child = hole;
    while len > 0 && child < (len - 1) / 2 {
        child = 2 * (child + 1);
        if less(&v[child], &v[child - 1]) {
            child -= 1;
        }
        v[hole] = v[child];
        hole = child;
    }
    if len.is_multiple_of(2) && len >= 2 && child == (len - 2) / 2 {
        child = 2 * (child + 1);
        v[hole] = v[child - 1];
        hole = child - 1;
    }
    while hole > top {
        let parent = (hole - 1) / 2;
        if !less(&v[parent], &value) {
            break;
        }
        v[hole] = v[parent];
        hole = parent;
    }
    v[hole] = value;
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Deterministic numbers; the order of equals is checked by the oracle runs.
    fn numbers(count: usize, range: u64) -> Vec<(u64, usize)> {
        let mut state = 88_172_645_463_325_252u64;
        (0..count)
            .map(|n| {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                (state % range, n)
            })
            .collect()
    }

    #[test]
    fn sorts_whatever_the_length() {
        for count in [0, 1, 2, 15, 16, 17, 100, 1000] {
            for range in [1, 3, 1000] {
                let mut v = numbers(count, range);
                sort_by(&mut v, |a, b| a.0 < b.0);
                assert!(v.is_sorted_by_key(|e| e.0), "{count} elements below {range}");
            }
        }
    }

    #[test]
    fn heap_sort_sorts() {
        for count in [2, 3, 17, 64, 101] {
            let mut v = numbers(count, 50);
            heap_sort(&mut v, &|a: &(u64, usize), b: &(u64, usize)| a.0 < b.0);
            assert!(v.is_sorted_by_key(|e| e.0));
        }
    }

    #[test]
    fn up_to_sixteen_elements_keep_the_order_of_equals() {
        let mut v = numbers(16, 4);
        sort_by(&mut v, |a, b| a.0 < b.0);
        assert!(v.is_sorted());
    }
}
