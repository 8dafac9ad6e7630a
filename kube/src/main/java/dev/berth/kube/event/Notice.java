package dev.berth.kube.event;

import dev.berth.kube.object.Ref;
import java.util.Optional;

/// An event to be told about an object.
///
/// @param about the object that it is told of (`involvedObject`)
/// @param type how bad it is
/// @param reason upstream's reason in CamelCase, from `Reasons`
/// @param message text for people; never a secret; cut at 1,024 characters when written
/// @param component who tells it, as upstream calls it; empty: whoever the recorder tells for
public record Notice(
    Ref about, Type type, String reason, String message, Optional<String> component) {
  public enum Type {
    NORMAL("Normal"),
    WARNING("Warning");

    private final String text;

    Type(String text) {
      this.text = text;
    }

    /// As Kubernetes spells it.
    public String text() {
      return text;
    }
  }

  public static Notice normal(Ref about, String reason, String message) {
    return new Notice(about, Type.NORMAL, reason, message, Optional.empty());
  }

  public static Notice warning(Ref about, String reason, String message) {
    return new Notice(about, Type.WARNING, reason, message, Optional.empty());
  }

  /// The same in the name of another component: people filter by it (VOC-03).
  public Notice toldBy(String component) {
    return new Notice(about, type, reason, message, Optional.of(component));
  }
}
