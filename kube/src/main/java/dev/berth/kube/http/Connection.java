package dev.berth.kube.http;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.Caller;
import dev.berth.kube.time.SystemTime;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// Sends requests to one server and waits for what comes of them.
final class Connection implements AutoCloseable {
  /// How often a request is sent again because the server asks for that, as by client-go; in sum
  /// for no longer than an answer is awaited.
  private static final int PUT_OFF = 10;

  private final Requests requests;
  private final Identity identity;
  private final Clients clients;
  private final Turns turns;
  private final Warned warned;
  private final Limits limits;
  private final ServerClock clock;

  Connection(Given given, Waiting waiting, Limits limits, Identity.Pace pace) {
    this.limits = limits;
    this.identity = new Identity(given, pace);
    this.requests = new Requests(identity);
    this.clients =
        new Clients(
            requests::client, () -> requests.of("GET", "/version", Map.of()), limits.doubt());
    this.turns = Turns.of(waiting);
    this.warned = Warned.intoLog();
    this.clock = new ServerClock();
    identity.onRenewal(clients::renew);
  }

  private Connection(Connection same, Turns turns, Warned warned, Limits limits) {
    this.limits = limits;
    this.identity = same.identity;
    this.requests = same.requests;
    this.clients = same.clients;
    this.clock = same.clock;
    this.turns = turns;
    this.warned = warned;
  }

  URI server() {
    return requests.server();
  }

  /// Of the server, by what it has answered over any of these.
  ServerClock clock() {
    return clock;
  }

  /// Over the same clients, for somebody whose requests take turns of their own.
  Connection by(Caller caller) {
    return new Connection(
        this, turns.of(caller), warned, caller.limit().map(limits::within).orElse(limits));
  }

  /// Over the same clients, for somebody who is told what the server warns of.
  Connection telling(Consumer<String> teller) {
    return new Connection(this, turns, new Warned(teller), limits);
  }

  @Override
  public void close() {
    var _ = closing();
  }

  /// Closes it.
  ///
  /// @return ends when nobody is asked for credentials any more
  CompletableFuture<Void> closing() {
    clients.close();
    return identity.close();
  }

  /// Asks without a body.
  JsonNode send(String method, String path, Map<String, String> query) {
    return send(method, path, () -> requests.of(method, path, query));
  }

  /// Asks with a body.
  JsonNode send(String method, String path, String contentType, JsonNode body) {
    var text = body.toString().getBytes(StandardCharsets.UTF_8);
    return send(method, path, () -> requests.of(method, path, contentType, text));
  }

  private JsonNode send(String method, String path, Supplier<HttpRequest> request) {
    var kind = method.equals("GET") ? Turns.Kind.READ : Turns.Kind.WRITE;
    var what = new Asked(method, path, request, new Patience(limits));
    var response =
        answered(
            what,
            () -> {
              try (var _ = turns.take(kind)) {
                return await(what, clients::requests, Answer.whole());
              }
            });
    var body = Answer.bytes(response);
    return Trees.read(body, 0, body.length);
  }

  /// Opens a watch; returns when the server has accepted it.
  Api.Watch watch(String path, Map<String, String> query, Api.Watcher watcher) {
    var seconds = ThreadLocalRandom.current().nextInt(300, 600);
    query.put("timeoutSeconds", Integer.toString(seconds));
    // A server that vanishes without a word never ends the watch: then we do.
    var longest = Duration.ofSeconds(seconds).plus(limits.answer());
    return open(
        path,
        query,
        (body, client) ->
            WatchStream.begin(
                body,
                watcher,
                new WatchStream.Terms(
                    longest,
                    limits.watch(),
                    () -> clients.doubt(client),
                    () -> clients.leave(client))));
  }

  /// Reads a text as it comes; closing the stream ends it.
  InputStream stream(String path, Map<String, String> query) {
    return open(path, query, (body, client) -> new Lent(body, () -> clients.leave(client)));
  }

  private interface Opened<T> {
    T of(InputStream body, Client client);
  }

  /// Opens what lasts.
  private <T> T open(String path, Map<String, String> query, Opened<T> opened) {
    var what = new Asked("GET", path, () -> requests.of("GET", path, query), new Patience(limits));
    for (boolean again = false; ; again = true) {
      var client = clients.enter();
      boolean begun = false;
      try {
        var response = answered(what, () -> await(what, () -> client, Answer.flowing()));
        if (!(response.body() instanceof Answer.Flowing(var body)))
          throw new IllegalStateException("a success has no stream");
        begun = true;
        return opened.of(body, client);
      } catch (ApiException.Unreachable failed) {
        boolean replaced = client.isRetired() && !again;
        if (!replaced && !clients.hasNoRoom(client, failed)) throw failed;
      } finally {
        if (!begun) clients.leave(client);
      }
    }
  }

  /// @param request made anew each time that it is sent: who asks may have other credentials then
  private record Asked(
      String method, String path, Supplier<HttpRequest> request, Patience patience) {}

  private interface Sending {
    Sent send() throws InterruptedException;
  }

  private record Sent(Client client, HttpRequest request, HttpResponse<Answer> response) {}

  /// Sends it again as long as the server asks for that, since it has done nothing then; and once
  /// if there are other credentials than those that it refused.
  private HttpResponse<Answer> answered(Asked asked, Sending sending) {
    var waited = Duration.ZERO;
    boolean renewed = false;
    try {
      for (int putOff = 0; ; putOff++) {
        var sent = sending.send();
        var response = sent.response();
        if (Answer.isSuccess(response.statusCode())) return response;
        if (response.statusCode() == 401
            && !renewed
            && (sent.client().isRetired()
                || identity.isRenewed(sent.request(), asked.patience().left()))) {
          renewed = true;
          continue;
        }
        var wait = Refusals.retryAfter(response);
        waited = waited.plus(wait.orElse(Duration.ZERO));
        // Beyond that whoever asked decides when to ask again: nobody is to be held up when he is
        // told to stop, or has lost his Lease.
        if (wait.isEmpty()
            || waited.compareTo(limits.answer()) > 0
            || wait.get().compareTo(asked.patience().left()) > 0
            || putOff >= PUT_OFF)
          throw Refusals.read(response.statusCode(), Answer.bytes(response));
        turns.pass(wait.get());
      }
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      throw unreachable(asked, stop);
    }
  }

  /// Waits for as long as something comes.
  ///
  /// @param over tells of another one when the one that it has told of is retired
  private Sent await(Asked asked, Supplier<Client> over, BodyHandler<Answer> handler)
      throws InterruptedException {
    HttpRequest request;
    var client = over.get();
    Client.Sent<Answer> sent;
    try {
      request = asked.request().get();
      asked.patience().begin();
      try {
        sent = client.send(request, handler);
      } catch (Client.Retired meanwhile) {
        client = over.get();
        sent = client.send(request, handler);
      }
    } catch (RuntimeException failed) {
      throw unreachable(asked, failed);
    }
    var answer = sent.answer();
    while (true) {
      try {
        var rest = asked.patience().left(sent.hearing().silence());
        var wait = Patience.min(rest, limits.doubt());
        var response = answer.get(wait.toNanos(), TimeUnit.NANOSECONDS);
        clock.hear(response.headers(), sent.left(), SystemTime.clock());
        warned.hear(response.headers().allValues("Warning"));
        return new Sent(client, request, response);
      } catch (ExecutionException failed) {
        throw client.isGivenUp()
            ? unreachable(
                asked, new IOException("no sign of the server on this connection", failed))
            : unreachable(asked, Objects.requireNonNullElse(failed.getCause(), failed));
      } catch (CancellationException failed) {
        throw unreachable(asked, failed);
      } catch (InterruptedException stop) {
        answer.cancel(true);
        throw stop;
      } catch (TimeoutException late) {
        if (!asked.patience().left(sent.hearing().silence()).isPositive()) {
          answer.cancel(true);
          var limit = asked.patience().limit();
          if (limits.isHasty() && client.isSilentFor(limit)) clients.avoid(client);
          throw unreachable(asked, new IOException("no answer within " + limit, late));
        }
        if (client.isSilentFor(limits.doubt())) clients.doubt(client);
      }
    }
  }

  private ApiException unreachable(Asked asked, Throwable cause) {
    return Unreached.failure(asked.method() + " " + asked.path(), requests.server(), cause);
  }
}
