package dev.berth.node.identity;

import dev.berth.kube.loop.Effect;
import dev.berth.kube.object.Ref;
import dev.berth.node.plugin.Plugin;
import dev.berth.node.runtime.Images;
import java.util.List;

/// What the agent writes of its node.
public sealed interface IdentityEffect extends Effect {
  /// One key sees to all drivers of the node.
  @Override
  default Object likeness() {
    return switch (this) {
      case LabelNode(var driver) -> List.of(LabelNode.class, driver.name());
      case EnterDriver(var driver) -> List.of(EnterDriver.class, driver.name());
      case StrikeDriver(var driver) -> List.of(StrikeDriver.class, driver);
      case ForgetNodeId(var driver) -> List.of(ForgetNodeId.class, driver);
      case Confirm(var driver) -> List.of(Confirm.class, driver.name());
      case AskAgain(var driver) -> List.of(AskAgain.class, driver.name());
      case Refuse(var driver, _) -> List.of(Refuse.class, driver.name());
      case CreateNode _, ReportReady _, ReportImages _, CreateCsiNode _, DeleteCsiNode _ ->
          getClass();
    };
  }

  record CreateNode() implements IdentityEffect {}

  /// Ready, with the machine's labels and capacity.
  record ReportReady() implements IdentityEffect {}

  /// Which images are here.
  record ReportImages(Images images) implements IdentityEffect {}

  record CreateCsiNode(Ref owner) implements IdentityEffect {}

  /// It belongs to an earlier Node of the name (NCSN-03).
  record DeleteCsiNode(Ref stale) implements IdentityEffect {}

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

  /// Asks the driver how many of its volumes fit on the node by now (NCSN-09).
  record AskAgain(Plugin driver) implements IdentityEffect {}

  /// Tells the driver why it is not, and forgets it.
  record Refuse(Plugin driver, String why) implements IdentityEffect {}
}
