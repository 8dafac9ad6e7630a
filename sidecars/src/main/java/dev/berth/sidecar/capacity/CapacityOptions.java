package dev.berth.sidecar.capacity;

import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// How room is published.
///
/// @param namespace where the objects are
/// @param owner whose end is theirs too; empty: nobody's
/// @param managedBy label by which this provisioner's objects are told from others of its driver
/// @param immediate whether classes count that do not wait for a pod, too
/// @param poll how often the driver is asked though nothing has changed
/// @param threads how many questions are asked at the same time
/// @param timeout how long the driver may take for one
public record CapacityOptions(
    String namespace,
    Optional<OwnerOf> owner,
    String managedBy,
    boolean immediate,
    Duration poll,
    int threads,
    Duration timeout) {
  /// Who controls a pod, directly or by others.
  ///
  /// @param level 0: the pod itself; 1: who controls it, such as a StatefulSet; 2: who controls
  ///   that
  public record OwnerOf(String pod, int level) {
    public OwnerOf {
      if (pod.isEmpty())
        throw new IllegalArgumentException(
            "capacity is to have an owner, of a pod that is not named; give its name in the"
                + " environment, POD_NAME, or --capacity-ownerref-level=-1");
      if (level < 0) throw new IllegalArgumentException("no owner is " + level + " above a pod");
    }
  }

  private static final Logger LOG = LoggerFactory.getLogger(CapacityOptions.class);

  /// The label of a provisioner that serves all nodes.
  public static final String CENTRAL = "external-provisioner";

  /// Finds out at once whether what is published can have its owner (PROV-161). A server that does
  /// not answer is asked again when there is something to publish.
  ///
  /// @throws IllegalArgumentException if the pod does not exist, or has too few above it
  public void checkOwner(Api api) {
    try {
      owner.ifPresent(it -> Owners.of(api, namespace, it.pod(), it.level()));
    } catch (ApiException refused) {
      if (refused.isNotFound())
        throw new IllegalArgumentException(
            "look up owner(s) of pod failed: " + refused.getMessage(), refused);
      LOG.warn("the owner of what is published is not known yet: {}", refused.getMessage());
    }
  }

  /// As many bytes as a label may have.
  private static final int LABEL = 63;

  public static final Duration USUAL_POLL = Duration.ofMinutes(1);

  /// The label of a provisioner that serves one node, short enough for a label, and one's own
  /// (PROV-157).
  ///
  /// @param node name of the Node
  public static String ofNode(String node) {
    var whole = CENTRAL + "-" + node;
    if (whole.length() <= LABEL) return whole;
    var sum = "%08x".formatted(sum(CENTRAL));
    int room = LABEL - node.length() - sum.length() - 2;
    return room > 0
        ? "%s-%s-%s".formatted(CENTRAL.substring(0, room), sum, node)
        : "%s-%08x".formatted(CENTRAL, sum(whole));
  }

  /// 32 bits of FNV-1a.
  private static int sum(String text) {
    int sum = 0x811c9dc5;
    for (byte each : text.getBytes(StandardCharsets.UTF_8))
      sum = (sum ^ (each & 0xff)) * 0x01000193;
    return sum;
  }

  public CapacityOptions {
    if (namespace.isEmpty())
      throw new IllegalArgumentException(
          "capacity is published in no namespace; give one in the environment: NAMESPACE");
    if (!poll.isPositive())
      throw new IllegalArgumentException("capacity is asked for every " + poll);
    if (threads < 1) throw new IllegalArgumentException("capacity threads are " + threads);
  }
}
