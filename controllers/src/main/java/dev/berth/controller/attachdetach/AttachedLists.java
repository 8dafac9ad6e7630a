package dev.berth.controller.attachdetach;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.Revision;
import dev.berth.kube.model.VolumeName;
import dev.berth.kube.object.Meta;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import dev.berth.kube.value.Json;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Writes `volumesAttached` of nodes. The list can only be written whole, and volumes of one node
/// come and go at the same time; so changes that wait while one is written go out together, in one
/// patch of what the server has.
final class AttachedLists {
  /// How often another writer of the node's status may be first.
  private static final int ATTEMPTS = 5;

  private final Api api;
  private final Map<String, Writer> writers = new ConcurrentHashMap<>();

  AttachedLists(Api api) {
    this.api = api;
  }

  /// Blocks until the node's list has the volume; a node that is gone needs no list.
  void add(String node, VolumeName volume) throws InterruptedException {
    writers.computeIfAbsent(node, Writer::new).write(new Entry(volume.toString(), Presence.LISTED));
  }

  /// Blocks until the node's list lacks the volume; a node that is gone has no list.
  void remove(String node, VolumeName volume) throws InterruptedException {
    writers.computeIfAbsent(node, Writer::new).write(new Entry(volume.toString(), Presence.ABSENT));
  }

  private enum Presence {
    LISTED,
    ABSENT
  }

  /// One change that somebody waits for.
  private static final class Entry {
    private final String volume;
    private final Presence wanted;

    // Guarded by the writer's lock.
    private boolean written;
    private @Nullable RuntimeException failure;

    Entry(String volume, Presence wanted) {
      this.volume = volume;
      this.wanted = wanted;
    }
  }

  /// Writes one node's list.
  private final class Writer {
    private final ObjectKey node;
    private final ReentrantLock lock = new ReentrantLock();
    private final Queue<Entry> waiting = new ArrayDeque<>(); // guarded by itself

    Writer(String node) {
      this.node = ObjectKey.cluster(node);
    }

    void write(Entry entry) throws InterruptedException {
      synchronized (waiting) {
        waiting.add(entry);
      }
      try {
        lock.lockInterruptibly();
      } catch (InterruptedException stopped) {
        synchronized (waiting) {
          waiting.remove(entry); // nobody answers for it any more
        }
        throw stopped;
      }
      try {
        if (!entry.written) writeAll();
      } finally {
        lock.unlock();
      }
      if (entry.failure != null) throw entry.failure;
    }

    private void writeAll() {
      List<Entry> batch;
      synchronized (waiting) {
        batch = new ArrayList<>(waiting);
        waiting.clear();
      }
      RuntimeException failure = null;
      try {
        patch(batch);
      } catch (RuntimeException refused) {
        failure = refused;
      }
      for (var entry : batch) {
        entry.written = true;
        entry.failure = failure;
      }
    }

    private void patch(List<Entry> batch) {
      for (int attempt = 1; ; attempt++) {
        try {
          var current = api.get(Resources.NODES, node);
          var before = current.path("status").path("volumesAttached");
          var after = changed(before, batch);
          if (after.equals(before) || (after.isEmpty() && before.isEmpty())) return;
          api.patchStatus(
              Resources.NODES,
              node,
              Revision.of(Meta.of(current))
                  .patch(body -> body.putObject("status").set("volumesAttached", after)));
          return;
        } catch (ApiException.LostRace lost) {
          if (attempt == ATTEMPTS) throw lost;
        } catch (ApiException refused) {
          if (refused.isNotFound()) return;
          throw refused;
        }
      }
    }
  }

  /// The list with the changes; entries that are not concerned stay as they are.
  private static ArrayNode changed(JsonNode before, List<Entry> changes) {
    var missing = new TreeSet<String>();
    var unwanted = new TreeSet<String>();
    for (var change : changes)
      (change.wanted == Presence.LISTED ? missing : unwanted).add(change.volume);
    var after = JsonNodeFactory.instance.arrayNode();
    for (var listed : before) {
      var name = Json.text(listed, "name");
      missing.remove(name);
      if (!unwanted.contains(name)) after.add(listed);
    }
    missing.forEach(name -> after.addObject().put("name", name).put("devicePath", ""));
    return after;
  }
}
