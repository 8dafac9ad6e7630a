/// The life of the objects of a `berth run`, as it happens: one line an edge. Start at [Journey].
///
/// Never: a guess. Every line is a change of an object that the API server showed.
@NullMarked
package dev.berth.cli.journey;

import org.jspecify.annotations.NullMarked;
