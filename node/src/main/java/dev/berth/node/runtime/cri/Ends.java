package dev.berth.node.runtime.cri;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.linux.process.ProcessIdentity;
import dev.berth.linux.process.ProcessWatch;
import dev.berth.node.runtime.ContainerId;
import dev.berth.node.runtime.ContainerRuntime.EndListener;
import dev.berth.node.runtime.ContainerState;
import dev.berth.node.runtime.cri.v1.ContainerStatusResponse;
import io.grpc.Status;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Tells when containers end. The engine's own events say so, where it has any (containerd 1.7,
/// CRI-O 1.26, and later); the kernel does where the engine says which process a container is; and
/// as either may be missing, all are looked at now and then.
final class Ends implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Ends.class);
  private static final ObjectMapper json = new ObjectMapper();

  private static final Duration NOW_AND_THEN = Duration.ofSeconds(30);
  private static final Duration NEXT_TRY = Duration.ofSeconds(1);

  /// How long an engine may take to see what the kernel has told us.
  private static final Duration SEEING = Duration.ofSeconds(10);

  private static final Duration BLINK = Duration.ofMillis(5);

  private final CriConnection engine;
  private final Containers containers;
  private final ProcessWatch processes = new ProcessWatch();
  private final List<EndListener> listeners = new CopyOnWriteArrayList<>();

  /// Those that ran when they were looked at last, by the engine's name.
  private final Map<String, ContainerId> running = new ConcurrentHashMap<>();

  private final Thread following;
  private final Thread looking;

  Ends(CriConnection engine, Containers containers) {
    this.engine = engine;
    this.containers = containers;
    following = Thread.ofVirtual().name("cri-events").start(this::follow);
    looking = Thread.ofVirtual().name("cri-look").start(this::lookNowAndThen);
  }

  void listen(EndListener listener) {
    listeners.add(listener);
  }

  /// From now on its end is told, once; soon, if it has ended already.
  void watch(Containers.Entry entry) {
    if (running.putIfAbsent(entry.key(), entry.id()) != null) return;
    int process = containers.status(entry.key(), true).map(Ends::process).orElse(0);
    if (process == 0) look(entry.key()); // it has ended, or its engine does not say
    else
      ProcessIdentity.of(process)
          .ifPresentOrElse(
              it -> processes.watch(it, () -> awaitSeen(entry.key())),
              () -> Thread.startVirtualThread(() -> awaitSeen(entry.key())));
  }

  /// It is not told any more.
  void forget(String key) {
    running.remove(key);
  }

  /// Engines say it only among what they tell of themselves: `{"pid": 123, ...}`.
  ///
  /// @return 0: there is none, or it is not said
  private static int process(ContainerStatusResponse answer) {
    try {
      return json.readTree(answer.getInfoOrDefault("info", "{}")).path("pid").asInt();
    } catch (JsonProcessingException otherwise) {
      return 0;
    }
  }

  /// The process has ended: the engine will know in a moment.
  private void awaitSeen(String key) {
    long last = System.nanoTime() + SEEING.toNanos();
    try {
      while (running.containsKey(key) && System.nanoTime() < last) {
        if (look(key)) return;
        Thread.sleep(BLINK);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } catch (CriException unanswered) {
      log.debug("container {} has ended, and its engine does not say how", key, unanswered);
    }
  }

  /// @return whether it has ended
  private boolean look(String key) {
    if (containers.state(key).filter(ContainerState.Running.class::isInstance).isPresent())
      return false;
    var id = running.remove(key);
    if (id != null)
      for (var listener : listeners) Thread.startVirtualThread(() -> listener.ended(id));
    return true;
  }

  private void follow() {
    while (!Thread.currentThread().isInterrupted()) {
      try {
        engine.events(event -> {
          var key = event.getContainerId();
          if (!running.containsKey(key)) return;
          switch (event.getContainerEventType()) {
            case CONTAINER_STOPPED_EVENT, CONTAINER_DELETED_EVENT -> awaitSeen(key);
            case CONTAINER_CREATED_EVENT, CONTAINER_STARTED_EVENT, UNRECOGNIZED -> {}
          }
        });
      } catch (CriException ended) {
        if (ended.code() == Status.Code.UNIMPLEMENTED) return;
        log.debug("no events of containers: {}", ended.getMessage());
      }
      try {
        Thread.sleep(NEXT_TRY);
      } catch (InterruptedException _) {
        return;
      }
      lookAtAll(); // what happened meanwhile
    }
  }

  private void lookNowAndThen() {
    try {
      while (true) {
        Thread.sleep(NOW_AND_THEN);
        lookAtAll();
      }
    } catch (InterruptedException _) {
      // closed
    }
  }

  private void lookAtAll() {
    try {
      running.keySet().forEach(this::look);
    } catch (CriException unanswered) {
      log.debug("containers cannot be looked at: {}", unanswered.getMessage());
    }
  }

  @Override
  public void close() {
    listeners.clear();
    running.clear();
    following.interrupt();
    looking.interrupt();
    processes.close();
  }
}
