package dev.berth.kube.loop;

import java.util.Set;

/// Where somebody tells of what he could not do, so that others see it.
public sealed interface Telling {
  /// Nobody hears of it: it only writes to the API, and what it could not write is tried again.
  record Nowhere() implements Telling {}

  /// In warnings about the object.
  ///
  /// @param reasons of such events
  record InEvents(Set<String> reasons) implements Telling {
    public InEvents {
      reasons = Set.copyOf(reasons);
    }
  }

  /// In the object's status.
  record InStatus() implements Telling {}
}
