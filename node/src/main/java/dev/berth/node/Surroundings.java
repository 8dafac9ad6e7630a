package dev.berth.node;

import dev.berth.kube.cache.Caches;
import dev.berth.kube.event.EventRecorder;
import dev.berth.kube.fact.Source;
import dev.berth.kube.fact.Sources;
import dev.berth.kube.loop.Controller;
import dev.berth.kube.loop.Effect;
import dev.berth.kube.loop.Loop;
import dev.berth.kube.loop.LoopMetrics;
import dev.berth.kube.loop.Pace;
import dev.berth.kube.time.Time;
import dev.berth.node.volume.Operations;
import java.net.InetSocketAddress;
import java.util.Optional;

/// What the process gives an agent that runs in it.
///
/// @param caches of [NodeAgent#KINDS] at least
/// @param hearing how the agent's loops hear of what it finds out
/// @param server where pods reach the API server; empty: they are not told
/// @param operations hears of what is done about volumes
public record Surroundings(
    Caches caches,
    EventRecorder events,
    Time time,
    LoopMetrics metrics,
    Hearing hearing,
    Optional<InetSocketAddress> server,
    Operations operations) {
  public Surroundings(
      Caches caches,
      EventRecorder events,
      Time time,
      LoopMetrics metrics,
      Hearing hearing,
      Optional<InetSocketAddress> server) {
    this(caches, events, time, metrics, hearing, server, Operations.UNHEARD);
  }

  public Surroundings(Caches caches, EventRecorder events, Time time, LoopMetrics metrics) {
    this(caches, events, time, metrics, AT_ONCE, Optional.empty());
  }

  /// The same, with somebody who hears of what is done about volumes.
  public Surroundings withOperations(Operations heard) {
    return new Surroundings(caches, events, time, metrics, hearing, server, heard);
  }

  /// The same, whose pods reach the API server there.
  public Surroundings withServer(InetSocketAddress address) {
    return new Surroundings(
        caches, events, time, metrics, hearing, Optional.of(address), operations);
  }

  /// How loops hear of a source: a simulation lets them hear late.
  public interface Hearing {
    <S> Source<S> of(Source<S> source);
  }

  private static final Hearing AT_ONCE =
      new Hearing() {
        @Override
        public <S> Source<S> of(Source<S> source) {
          return source;
        }
      };

  <K, V, E extends Effect> Loop<K> loop(Controller<K, V, E> controller, Sources sources) {
    return new Loop<>(controller, caches, sources, time, events, Pace.CONTROLLER, metrics);
  }
}
