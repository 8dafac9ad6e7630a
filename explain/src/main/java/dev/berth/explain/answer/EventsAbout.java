package dev.berth.explain.answer;

import dev.berth.kube.cache.Index;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.model.Event;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import java.util.Collection;
import java.util.List;

/// Events by the object that they are told of.
public final class EventsAbout {
  public static final Index<Event> INDEX =
      new Index<>(Kinds.EVENT, "about", event -> List.of(value(event.aboutKind(), event.about())));

  private EventsAbout() {}

  /// Those told of an object, and of others that had its name.
  public static Collection<Event> of(Ref subject, Snapshot objects) {
    return objects.by(INDEX, value(subject.resource().kind(), subject.key()));
  }

  private static String value(String kind, ObjectKey about) {
    return kind + "/" + about.namespace() + "/" + about.name();
  }

  /// How a server is asked for them.
  ///
  /// @param value as the index has it
  public static String fields(String value) {
    var parts = value.split("/", 3);
    return "involvedObject.kind=%s,involvedObject.name=%s".formatted(parts[0], parts[2]);
  }

  /// Where they stand; empty: anywhere, since the object has no namespace.
  public static String namespace(String value) {
    return value.split("/", 3)[1];
  }
}
