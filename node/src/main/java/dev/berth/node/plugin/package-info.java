/// How drivers make themselves known to the node: sockets in `plugins_registry` (spec/node.md,
/// section 1). Start at [PluginRegistrations].
///
/// Always: a socket's registration is one worker's; its removal ends that worker before another
/// begins (`PluginRegistrationsTest`). Never: an API write; what the registered drivers mean for
/// Node and CSINode is decided in `dev.berth.node.identity` (`AbsencesArchitectureTest`).
@NullMarked
package dev.berth.node.plugin;

import org.jspecify.annotations.NullMarked;
