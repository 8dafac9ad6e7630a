/// Where the kubelet keeps what (spec/node.md, section 0). Start at [Layout].
///
/// Always: drivers, backup tools and people find the very paths that the kubelet uses
/// (`LayoutTest`). Never: touches a file; a path is a name here and nothing else
/// (`AbsencesArchitectureTest`).
@NullMarked
package dev.berth.node.layout;

import org.jspecify.annotations.NullMarked;
