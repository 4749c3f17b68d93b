//! The facts of a strand in the order of their lines. The kinds that make up a log have lists of their
//! own, so that a fact costs its own size and nothing for each to be found.
//!
//! Knows nothing of what facts mean.

use alloc::boxed::Box;
use alloc::vec::{self, Vec};

use super::{Dated, Fact, launch, pool};
use crate::intern::Name;
use crate::model::region::OperatorAddress;
use crate::model::static_graph::Block;
use crate::time::Time;

/// Facts, to be handed out once and in order.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    order: Vec<Place>,
    blocks: Vec<(Name, Block)>,
    addresses: Vec<OperatorAddress>,
    pools: Vec<pool::Line>,
    launches: Vec<launch::Line>,
}

/// A fact without what it says.
#[derive(Clone, Debug)]
struct Place {
    time: Option<Time>,
    twin: u64,
    list: List,
}

/// Where the fact stands: the next one of a list, or here.
#[derive(Clone, Debug)]
enum List {
    Block,
    Address,
    Pool,
    Launch,
    Own(Box<Fact>),
}

impl Facts {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// The time of the latest.
    pub fn last_time(&self) -> Option<Time> {
        self.order.last().and_then(|place| place.time)
    }

    /// Adds a fact behind all others.
    pub fn push(&mut self, dated: Dated) {
        let list = match dated.fact {
            Fact::Block(graph, block) => {
                self.blocks.push((graph, block));
                List::Block
            }
            Fact::Address(address) => {
                self.addresses.push(address);
                List::Address
            }
            Fact::Pool(line) => {
                self.pools.push(line);
                List::Pool
            }
            Fact::Launch(line) => {
                self.launches.push(line);
                List::Launch
            }
            other => List::Own(Box::new(other)),
        };
        self.order.push(Place { time: dated.time, twin: dated.twin, list });
    }

    /// Hands the facts out.
    pub fn drain(self) -> Drain {
        Drain {
            order: self.order.into_iter(),
            blocks: self.blocks.into_iter(),
            addresses: self.addresses.into_iter(),
            pools: self.pools.into_iter(),
            launches: self.launches.into_iter(),
        }
    }
}

/// Facts on their way out.
#[derive(Debug)]
pub struct Drain {
    order: vec::IntoIter<Place>,
    blocks: vec::IntoIter<(Name, Block)>,
    addresses: vec::IntoIter<OperatorAddress>,
    pools: vec::IntoIter<pool::Line>,
    launches: vec::IntoIter<launch::Line>,
}

impl Drain {
    /// The time of the next fact; `None` where there is none.
    pub fn next_time(&self) -> Option<Option<Time>> {
        self.order.as_slice().first().map(|place| place.time)
    }
}

impl Iterator for Drain {
    type Item = Dated;

    fn next(&mut self) -> Option<Dated> {
        let Place { time, twin, list } = self.order.next()?;
        let fact = match list {
            List::Block => self.blocks.next().map(|(graph, block)| Fact::Block(graph, block))?,
            List::Address => Fact::Address(self.addresses.next()?),
            List::Pool => Fact::Pool(self.pools.next()?),
            List::Launch => Fact::Launch(self.launches.next()?),
            List::Own(fact) => *fact,
        };
        Some(Dated { time, twin, fact })
    }
}
