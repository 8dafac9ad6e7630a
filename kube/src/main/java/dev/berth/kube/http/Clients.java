package dev.berth.kube.http;

import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The clients of one server: one for requests, and as many as are needed for what lasts, which
/// takes a stream of a connection for as long (K8S-04).
final class Clients implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Clients.class);

  /// What lasts of one client; Kubernetes' servers let a connection have 100 streams.
  static final int STREAMS = 80;

  private final Supplier<Client> opener;
  private final Supplier<HttpRequest> probe;
  private final Duration patience;
  private final List<Place> lasting = new ArrayList<>(); // guarded by this
  private volatile Client requests;
  private boolean closed; // guarded by this

  /// A client with what lasts of it.
  private static final class Place {
    private final Client client;
    private int taken; // guarded by the clients
    private int most = STREAMS; // guarded by the clients

    private Place(Client client) {
      this.client = client;
    }
  }

  /// @param probe something that the server answers at once, whatever
  /// @param patience how long the answer may take
  Clients(Supplier<Client> opener, Supplier<HttpRequest> probe, Duration patience) {
    this.opener = opener;
    this.probe = probe;
    this.patience = patience;
    this.requests = opener.get();
  }

  Client requests() {
    return requests;
  }

  /// For something that lasts; to be left again.
  synchronized Client enter() {
    for (var place : lasting)
      if (place.taken < place.most) {
        place.taken++;
        return place.client;
      }
    var place = new Place(opener.get());
    place.taken = 1;
    if (closed) place.client.close();
    else lasting.add(place);
    return place.client;
  }

  /// The last one stays, for what comes next.
  synchronized void leave(Client client) {
    for (var place : List.copyOf(lasting)) {
      if (place.client != client) continue;
      place.taken--;
      if (place.taken > 0 || lasting.size() == 1) continue;
      lasting.remove(place);
      client.retire();
    }
  }

  /// Whether the server lets a connection have fewer streams than others do: the next is to be for
  /// another client.
  synchronized boolean hasNoRoom(Client client, Throwable failure) {
    var cause = failure.getCause();
    if (cause == null || !"too many concurrent streams".equals(cause.getMessage())) return false;
    for (var place : lasting)
      if (place.client == client) {
        place.most = Math.max(1, place.taken - 1);
        return place.taken > 1;
      }
    return false;
  }

  /// Looks whether the connection of a client that is silent is dead, and takes another then: the
  /// JDK asks nobody and would keep it for a quarter of an hour. A server that is only slow answers
  /// what costs it nothing.
  void doubt(Client client) {
    if (client.doubt()) Thread.startVirtualThread(() -> look(client));
  }

  /// Whoever is in a hurry was told nothing over a client: the next request goes over another one,
  /// whatever becomes of this one. One over which nothing has ever come is no worse than another.
  void avoid(Client client) {
    synchronized (this) {
      if (closed || requests != client || !client.hasAnswered()) return;
      requests = opener.get();
    }
    log.info("the API server says nothing on a connection, another is opened");
    doubt(client);
  }

  private void look(Client client) {
    try {
      if (isDead(client)) replace(client);
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException unknown) {
      log.debug("a connection cannot be looked at", unknown);
    } finally {
      // In this order: who avoids it meanwhile is seen here, or has it looked at once more.
      client.trust();
      if (isLeft(client)) client.retire();
    }
  }

  private boolean isDead(Client client) throws InterruptedException {
    var answer = client.send(probe.get(), BodyHandlers.discarding()).answer();
    try {
      answer.get(patience.toMillis(), TimeUnit.MILLISECONDS);
      return false;
    } catch (ExecutionException | CancellationException failed) {
      return false; // the JDK knows of it, and connects anew
    } catch (TimeoutException late) {
      answer.cancel(true);
      return client.isSilentFor(patience);
    }
  }

  private synchronized boolean isLeft(Client client) {
    return requests != client && lasting.stream().noneMatch(place -> place.client == client);
  }

  /// What another client has lost, the way to the server, its siblings may have lost as well.
  private void replace(Client dead) {
    List<Place> others;
    synchronized (this) {
      if (closed) return;
      if (requests == dead) requests = opener.get();
      lasting.removeIf(place -> place.client == dead);
      others = List.copyOf(lasting);
    }
    log.info("a connection to the API server is dead, another is opened");
    dead.giveUp();
    for (var place : others) if (place.client.isSilentFor(patience)) doubt(place.client);
  }

  /// Asks over new clients from now on. What lasts ends, and begins again.
  void renew() {
    List<Place> old;
    synchronized (this) {
      if (closed) return;
      var before = requests;
      requests = opener.get();
      before.retire();
      old = List.copyOf(lasting);
      lasting.clear();
    }
    for (var place : old) place.client.close();
  }

  @Override
  public void close() {
    synchronized (this) {
      closed = true;
      for (var place : lasting) place.client.close();
      lasting.clear();
    }
    requests.close();
  }
}
