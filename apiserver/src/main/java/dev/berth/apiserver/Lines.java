package dev.berth.apiserver;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;

/// Writes that wait. Those that are to wait for nobody come first, then one of each user in turn,
/// however many some have. For one thread at a time.
final class Lines {
  private final Deque<Pending> first = new ArrayDeque<>();

  /// Whose turn it is next comes first.
  private final LinkedHashMap<String, Deque<Pending>> users = new LinkedHashMap<>();

  private int count;

  int count() {
    return count;
  }

  void add(Pending pending) {
    line(pending).addLast(pending);
    count++;
  }

  /// Those that were taken too early, as they were taken: they are the next again.
  void putBack(List<Pending> taken) {
    for (var pending : taken.reversed()) {
      line(pending).addFirst(pending);
      if (!pending.line().isEmpty()) users.putFirst(pending.line(), line(pending));
      count++;
    }
  }

  private Deque<Pending> line(Pending pending) {
    return pending.line().isEmpty()
        ? first
        : users.computeIfAbsent(pending.line(), _ -> new ArrayDeque<>());
  }

  List<Pending> take(int most) {
    var taken = new ArrayList<Pending>();
    while (taken.size() < most && !first.isEmpty()) taken.add(first.removeFirst());
    while (taken.size() < most && !users.isEmpty()) {
      var next = users.pollFirstEntry();
      taken.add(next.getValue().removeFirst());
      if (!next.getValue().isEmpty()) users.put(next.getKey(), next.getValue());
    }
    count -= taken.size();
    return taken;
  }
}
