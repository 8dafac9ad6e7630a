package dev.berth.controller.attachdetach;

import dev.berth.kube.model.Attachment;
import dev.berth.kube.model.Node;
import dev.berth.kube.model.VolumeName;
import dev.berth.kube.name.Annotations;
import dev.berth.kube.object.Lookup;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Optional;

/// One volume and one node.
///
/// @param attachment the one of the name that everybody computes (AD-02)
/// @param foreign whether another attachment of the volume to the node exists, under another name
/// @param uses by pods on the node that have not ended; empty: the driver attaches nothing, or no
///   pod does
record Pair(
    VolumeName volume,
    String nodeName,
    Lookup<Node> node,
    Lookup<Attachment> attachment,
    boolean foreign,
    List<Use> uses) {
  Pair {
    uses = List.copyOf(uses);
  }

  /// Whether the volume is to be attached to the node (AD-11).
  boolean wanted() {
    return node.found().filter(Node::managed).isPresent()
        && uses.stream().anyMatch(use -> use.standing() == Use.Standing.RESOLVED);
  }

  /// Whether the node sees to its own attachments (AD-10).
  boolean unmanaged() {
    return node.found().filter(it -> !it.managed()).isPresent();
  }

  /// Whether the node's agent has been told that the volume is attached.
  boolean listed() {
    return node.found().filter(it -> it.volumesAttached().contains(volume.toString())).isPresent();
  }

  /// Whether the volume may be mounted on the node; nobody knows that of a node that is gone.
  boolean inUse() {
    return node.found().map(it -> it.volumesInUse().contains(volume.toString())).orElse(true);
  }

  /// Whether the volume is or may be attached to the node.
  boolean occupied() {
    return attachment.found().isPresent() || foreign || listed();
  }

  /// When detaching was first asked for (AD-31).
  Optional<Instant> detachRequested() {
    return attachment
        .found()
        .flatMap(it -> it.meta().annotation(Annotations.DETACH_REQUESTED_AT))
        .flatMap(Pair::parse);
  }

  /// A date that cannot be read is none: it is written anew.
  private static Optional<Instant> parse(String text) {
    try {
      return Optional.of(Instant.parse(text));
    } catch (DateTimeParseException unreadable) {
      return Optional.empty();
    }
  }

  /// When the first of its pods was created; pairs without pods come last.
  Instant since() {
    return uses.stream()
        .map(use -> use.pod().meta().created())
        .min(Instant::compareTo)
        .orElse(Instant.MAX);
  }
}
