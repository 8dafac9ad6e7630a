package dev.berth.apiserver.core.message;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.custom.rule.CelSource;
import dev.berth.apiserver.core.state.Stored;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/// What a client is answered. HTTP statuses: 201 for [Created] and [Done], 200 for the others, the
/// refusal's own for [Refused].
public sealed interface Answer {
  /// The object as it is now.
  record Single(Stored object) implements Answer {}

  /// The object as it was created.
  record Created(Stored object) implements Answer {}

  /// The object was deleted, and clients see what it was last (API-86).
  record Gone(Stored last) implements Answer {}

  /// The object was deleted, and clients of its kind see no more than that: `status`, a success.
  ///
  /// @param last as last seen, for callers in this process
  record GoneQuietly(Stored last, ObjectNode status) implements Answer {}

  /// The request was carried out and there is no object to show (`binding`, `eviction`).
  ///
  /// @param status a success, code 201
  record Done(ObjectNode status) implements Answer {}

  /// A list, or one page of it, in order of the keys.
  ///
  /// @param revision the moment that all pages show
  /// @param continueToken where the next page starts; empty: this is the last
  /// @param remaining how many objects follow; empty: not known
  record Page(long revision, List<Stored> items, String continueToken, OptionalLong remaining)
      implements Answer {
    public Page {
      items = List.copyOf(items);
    }
  }

  /// Nothing was done, since it would have taken too long: who asks first has these rules compiled
  /// and then asks again. No client sees it.
  record Unready(Set<CelSource> rules) implements Answer {
    public Unready {
      rules = Set.copyOf(rules);
    }
  }

  /// Nothing was done: the object is not the one that was seen ([Request.Guarded]). No client sees
  /// it.
  record Overtaken() implements Answer {}

  record Refused(Refusal refusal) implements Answer {}
}
