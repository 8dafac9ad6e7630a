package dev.berth.simulation.api;

import dev.berth.apiserver.EmbeddedApiServer;
import dev.berth.apiserver.core.Ids;
import dev.berth.apiserver.local.LocalApi;
import dev.berth.apiserver.store.MemoryStore;
import dev.berth.apiserver.store.StoreException;
import dev.berth.kube.api.Api;
import dev.berth.simulation.time.SimulatedProcess;
import dev.berth.simulation.time.VirtualTime;
import java.util.ArrayList;
import java.util.List;

/// The API server, one after the other on the same store, and everybody's way to it.
public final class SimulatedServer {
  private final VirtualTime time;
  private final List<String> writes = new ArrayList<>();
  private final List<String> losses = new ArrayList<>();
  private final MemoryStore store = new MemoryStore();
  private final List<SimulatedApi> clients = new ArrayList<>();
  private Network network = Network.GOOD;
  private EmbeddedApiServer server;

  public SimulatedServer(VirtualTime time) {
    this.time = time;
    this.server = start();
  }

  private EmbeddedApiServer start() {
    try {
      return EmbeddedApiServer.inOneThread(store, time::now, new Ids(time.random()));
    } catch (StoreException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /// From now on the way to the server is like this.
  public void network(Network quality) {
    network = quality;
  }

  Network network() {
    return network;
  }

  /// The server as it is now, without any way to it.
  EmbeddedApiServer current() {
    return server;
  }

  /// A client of one process, as reliable as the network.
  public Api client(SimulatedProcess process) {
    var client = new SimulatedApi(this, time, process);
    clients.add(client);
    process.atDeath(() -> {
      clients.remove(client);
      client.endWatches();
    });
    return client;
  }

  /// The server as nobody sees it: at once and without fail, for the test itself.
  public Api direct() {
    return new LocalApi(server, Runnable::run);
  }

  /// Ends every watch of every client.
  public void cutWatches() {
    for (var client : List.copyOf(clients)) client.cutWatches();
  }

  /// The server ends and begins anew: it has all objects and no history.
  public void restart() {
    var before = server;
    server = start();
    cutWatches();
    before.close();
  }

  /// A process has written.
  void note(String write) {
    writes.add(write);
  }

  /// A process has lost a race.
  void noteLoss(String write) {
    losses.add(write);
  }

  /// Every write of a process that came too late, in order.
  public List<String> losses() {
    return losses;
  }

  /// Every write of a process that was carried out, in order.
  public List<String> writes() {
    return writes;
  }
}
