package dev.berth.node.identity;

import dev.berth.kube.loop.Effect;
import dev.berth.kube.model.CsiNode;
import dev.berth.kube.model.Node;
import dev.berth.node.plugin.Plugin;

/// What the agent writes of its node.
public sealed interface IdentityEffect extends Effect {
  record CreateNode() implements IdentityEffect {}

  /// Ready, with the machine's labels and capacity.
  record ReportReady() implements IdentityEffect {}

  record CreateCsiNode(Node owner) implements IdentityEffect {}

  /// It belongs to an earlier Node of the name (NCSN-03).
  record DeleteCsiNode(CsiNode stale) implements IdentityEffect {}

  /// Node id and topology on the Node.
  record LabelNode(Plugin driver) implements IdentityEffect {}

  /// The driver's entry in the CSINode.
  record EnterDriver(Plugin driver) implements IdentityEffect {}

  /// Takes the entry out of the CSINode.
  record StrikeDriver(String driver) implements IdentityEffect {}

  /// Takes the node id off the Node.
  record ForgetNodeId(String driver) implements IdentityEffect {}

  /// Tells the driver that it is registered.
  record Confirm(Plugin driver) implements IdentityEffect {}

  /// Tells the driver why it is not, and forgets it.
  record Refuse(Plugin driver, String why) implements IdentityEffect {}
}
