package dev.berth.controller.nodelife;

import dev.berth.controller.Means;
import dev.berth.kube.fact.Source;
import dev.berth.kube.fact.Told;
import dev.berth.kube.loop.Concern;
import dev.berth.kube.loop.Role;
import dev.berth.kube.name.LeaseNames;
import java.time.Duration;

/// Kubernetes' node life cycle controller.
public final class NodeLife {
  private static final Role ROLE =
      Role.of(
          "node life cycle controller",
          "node-controller", // VOC-03
          LeaseNames.CONTROLLER_MANAGER);

  /// What can be chosen.
  ///
  /// @param grace how long nothing may be heard of a node
  /// @param startUp the same of one that has never said how it is
  /// @param limits how many nodes may be emptied
  public record Options(Duration grace, Duration startUp, Limits limits) {
    public static final Options DEFAULT =
        new Options(Duration.ofSeconds(50), Duration.ofMinutes(1), Limits.DEFAULT);
  }

  /// How fast nodes are emptied, so that a fault of the control plane's own costs few pods.
  ///
  /// @param rate nodes of a zone in a second
  /// @param troubledRate the same where many of its nodes are not ready, if it is large; of a small
  ///   one none is emptied then
  /// @param large from how many nodes on a zone is larger than small
  /// @param troubled which part of a zone's nodes is many
  public record Limits(double rate, double troubledRate, int large, double troubled) {
    public static final Limits DEFAULT = new Limits(0.1, 0.01, 50, 0.55);
  }

  private final Options options;
  private final Told<Heard> heard = new Told<>(Heard.TOPIC);

  public NodeLife(Options options) {
    this.options = options;
  }

  /// Watches over nodes. Needs [#source].
  public Concern<Means, String, ?, ?> nodes() {
    return new Concern<>(
        ROLE,
        new NodeKeeper(options),
        means -> new NodeEffects(means.api(), means.events(), heard));
  }

  /// Tells when this process last heard of each node.
  public Source<?> source() {
    return heard;
  }
}
