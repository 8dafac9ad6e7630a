package dev.berth.sidecar.attacher;

import dev.berth.kube.fact.Topic;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// What the driver said last of where its volumes are attached, and which attachments say otherwise
/// (spec/attacher.md, section 8).
///
/// @param at when it was last asked; empty: never
/// @param listing what it said, not yet compared
/// @param marks attachments that say otherwise, by name
record Audit(Optional<Instant> at, Optional<Listing> listing, Map<String, Mark> marks) {
  static final Topic<Audit> TOPIC =
      new Topic<>("audit", new Audit(Optional.empty(), Optional.empty(), Map.of()));

  Audit {
    marks = Map.copyOf(marks);
  }

  /// @param nodes the driver's names of the nodes that each volume is attached to, by handle; a
  ///   volume that is not there, or of which the driver did not say, is attached to none
  /// @param seen `resourceVersion` of each attachment before the driver was asked, by name: of one
  ///   that has changed meanwhile the listing says nothing
  record Listing(Map<String, Set<String>> nodes, Map<String, String> seen) {
    Listing {
      nodes = Map.copyOf(nodes);
      seen = Map.copyOf(seen);
    }
  }

  /// An attachment that says otherwise than the driver, and is to be attached or detached once
  /// more.
  ///
  /// @param uid of the attachment
  /// @param times how often in a row it was found so, this time included
  /// @param open whether that is still to be done
  record Mark(String uid, int times, boolean open) {}

  Audit listed(Instant now, Listing told) {
    return new Audit(Optional.of(now), Optional.of(told), marks);
  }

  Audit compared(Map<String, Mark> found) {
    return new Audit(at, Optional.empty(), found);
  }

  /// The attachment has been attached or detached once more.
  Audit done(String attachment) {
    var mark = marks.get(attachment);
    if (mark == null) return this;
    var others = new HashMap<>(marks);
    others.put(attachment, new Mark(mark.uid(), mark.times(), false));
    return new Audit(at, listing, others);
  }

  /// Whether the attachment is to be attached or detached once more.
  boolean calls(String attachment, String uid) {
    var mark = marks.get(attachment);
    return mark != null && mark.open() && mark.uid().equals(uid);
  }
}
