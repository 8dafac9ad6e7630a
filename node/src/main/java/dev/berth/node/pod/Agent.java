package dev.berth.node.pod;

import dev.berth.kube.fact.Topic;
import java.net.InetAddress;
import java.util.Optional;

/// Whose agent it is that is asked about a pod.
///
/// @param address of the node, which its pods share; empty: it is seen from outside and may be
///   anybody's, a kubelet too, so that what it refuses and reports stands in the pod's status
public record Agent(Optional<InetAddress> address) {
  /// Seen from outside.
  public static final Agent ANY = new Agent(Optional.empty());

  public static final Topic<Agent> TOPIC = new Topic<>("the agent itself", ANY);

  public static Agent at(InetAddress address) {
    return new Agent(Optional.of(address));
  }

  /// Whether it is asked itself, and not somebody who sees nothing but the API.
  boolean itself() {
    return address.isPresent();
  }

  /// As the API has it; empty: it is not known.
  String addressText() {
    return address.map(InetAddress::getHostAddress).orElse("");
  }
}
