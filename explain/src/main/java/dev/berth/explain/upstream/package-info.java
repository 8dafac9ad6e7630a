/// What is waited for where nobody decides here: by components of Kubernetes that Berth does not
/// carry out, and by people. Each is a reading of the objects that has a name, asked like a decider
/// (spec/explain.md). Start at [Readings].
///
/// Never: speaks of what is well (`StatesTest`, `WorldsTest`).
@NullMarked
package dev.berth.explain.upstream;

import org.jspecify.annotations.NullMarked;
