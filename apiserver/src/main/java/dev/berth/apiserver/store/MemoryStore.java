package dev.berth.apiserver.store;

import dev.berth.apiserver.core.state.State;
import dev.berth.apiserver.core.state.Stored;
import dev.berth.apiserver.core.state.Written;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/// Keeps everything in memory, for simulations and tests: a server that is started again on it
/// finds what the one before left.
public final class MemoryStore implements Store {
  private final Map<Resource, SortedMap<ObjectKey, Stored>> objects = new HashMap<>();
  private long revision;

  @Override
  public State load() {
    return State.of(revision, objects);
  }

  @Override
  public void commit(long revision, List<Written> written) {
    for (var each : written) {
      var all = objects.computeIfAbsent(each.resource(), _ -> new TreeMap<>());
      switch (each) {
        case Written.Put(_, _, var after) -> all.put(after.key(), after);
        case Written.Removed(_, _, var last) -> all.remove(last.key());
      }
    }
    this.revision = revision;
  }

  @Override
  public void close() {}
}
