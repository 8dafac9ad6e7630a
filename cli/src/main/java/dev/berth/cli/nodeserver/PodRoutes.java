package dev.berth.cli.nodeserver;

import dev.berth.apiserver.http.PodLogs;
import dev.berth.apiserver.http.stream.SpdyStreams;
import dev.berth.apiserver.http.stream.Wanted;
import dev.berth.cli.stack.NodeDoor;
import dev.berth.kube.object.ObjectKey;
import dev.berth.node.runtime.ContainerId;
import dev.berth.node.runtime.RefusedException;
import dev.berth.node.runtime.StreamRequest;
import dev.berth.node.runtime.StreamRequest.Streams;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/// What is asked of a pod: its logs, and streams to and from it. An engine that carries streams is
/// left to it.
final class PodRoutes {
  private static final int BLOCK = 16 * 1024;

  private final NodeDoor door;

  PodRoutes(NodeDoor door) {
    this.door = door;
  }

  /// @return false: the request is about no pod
  boolean serve(Head head, Client client) throws IOException {
    var path = head.path();
    if (path.isEmpty()) return false;
    switch (path.getFirst()) {
      case "containerLogs" -> logs(head, client);
      case "exec" -> exec(head, client);
      case "attach" -> attach(head, client);
      case "portForward" -> ports(head, client);
      default -> {
        return false;
      }
    }
    return true;
  }

  private static ObjectKey pod(Head head) throws IOException {
    if (head.path().size() < 3) throw new Answer.Refusal(404, "404 page not found");
    return ObjectKey.of(head.path().get(1), head.path().get(2));
  }

  /// `/exec/NAMESPACE/POD/CONTAINER`, or with the pod's uid before the container.
  private static String container(Head head) throws IOException {
    int length = head.path().size();
    if (length != 4 && length != 5) throw new Answer.Refusal(404, "404 page not found");
    return head.path().getLast();
  }

  private static Streams streams(Head head) throws IOException {
    boolean terminal = head.isOn("tty");
    var streams =
        new Streams(
            head.isOn("input"),
            head.isOn("output"),
            head.isOn("error") && !terminal, // a terminal is all in one
            terminal);
    if (!streams.input() && !streams.output() && !streams.error())
      throw new Answer.Refusal(400, "you must specify at least 1 of stdin, stdout, stderr");
    return streams;
  }

  private void exec(Head head, Client client) throws IOException {
    var pod = pod(head);
    var container = container(head);
    var command = List.copyOf(head.all("command"));
    if (command.isEmpty()) throw new Answer.Refusal(400, "you must specify a command");
    var streams = streams(head);
    var id = running(pod, container);
    var engine = carrier(new StreamRequest.Exec(id, command, streams));
    if (engine.isPresent()) {
      Relay.join(head, client, engine.get());
      return;
    }
    program(
        head,
        client,
        streams,
        () -> door.streams().exec(pod, container, command, streams.terminal()));
  }

  private void attach(Head head, Client client) throws IOException {
    var pod = pod(head);
    var container = container(head);
    var streams = streams(head);
    var id = running(pod, container);
    var engine = carrier(new StreamRequest.Attach(id, streams));
    if (engine.isPresent()) {
      Relay.join(head, client, engine.get());
      return;
    }
    program(head, client, streams, () -> door.streams().attach(pod, container));
  }

  private static void program(Head head, Client client, Streams streams, Wanted.Start start)
      throws IOException {
    upgrade(head, client, SpdyStreams.PROGRAM);
    SpdyStreams.program(
        client.in(),
        client.out(),
        new Wanted(streams.input(), streams.output(), streams.error(), start),
        streams.terminal(),
        () -> hangUp(client));
  }

  private void ports(Head head, Client client) throws IOException {
    var pod = pod(head);
    var engine = carrier(new StreamRequest.Ports(uid(pod)));
    if (engine.isPresent()) {
      Relay.join(head, client, engine.get());
      return;
    }
    upgrade(head, client, SpdyStreams.PORTS);
    SpdyStreams.ports(client.in(), client.out(), port -> door.streams().connect(pod, port));
  }

  private ContainerId running(ObjectKey pod, String container) throws Answer.Refusal {
    try {
      return door.running(pod, container);
    } catch (IOException none) {
      throw new Answer.Refusal(404, String.valueOf(none.getMessage()));
    }
  }

  private String uid(ObjectKey pod) throws Answer.Refusal {
    try {
      return door.uid(pod);
    } catch (IOException none) {
      throw new Answer.Refusal(404, String.valueOf(none.getMessage()));
    }
  }

  private Optional<URI> carrier(StreamRequest request) throws Answer.Refusal {
    try {
      return door.runtime().carrier(request);
    } catch (RefusedException refused) {
      throw new Answer.Refusal(500, String.valueOf(refused.getMessage()));
    }
  }

  private static void upgrade(Head head, Client client, String protocol) throws IOException {
    if (!head.header("upgrade").equalsIgnoreCase(SpdyStreams.UPGRADE))
      throw new Answer.Refusal(
          400, "a node speaks %s for this: upgrade the connection".formatted(SpdyStreams.UPGRADE));
    var offers = List.of(head.header("x-stream-protocol-version").split("\\s*,\\s*", -1));
    if (!offers.contains(protocol))
      throw new Answer.Refusal(
          403,
          "unable to upgrade: unable to negotiate protocol: client supports %s, server accepts [%s]"
              .formatted(offers, protocol));
    var answer =
        "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: %s\r\nX-Stream-Protocol-Version: %s\r\n\r\n"
            .formatted(SpdyStreams.UPGRADE, protocol);
    client.out().write(answer.getBytes(StandardCharsets.ISO_8859_1));
    client.out().flush();
  }

  /// A client that does not leave then is left.
  private static void hangUp(Client client) {
    client.goesSoon().run(); // a time for reads would count from the next one, and one is under way
    try {
      client.socket().shutdownOutput();
    } catch (IOException _) {
      // it has left
    }
  }

  private void logs(Head head, Client client) throws IOException {
    if (!head.method().equals("GET")) throw new Answer.Refusal(405, "Method Not Allowed");
    var pod = pod(head);
    var container = container(head);
    try (var log = door.logs().open(pod, container, options(head))) {
      // Who leaves does not wait for the next line to be written.
      if (head.isOn("follow")) Thread.startVirtualThread(() -> closeWhenLeft(client.in(), log));
      chunks(log, client.out());
    } catch (PodLogs.UnavailableException none) {
      throw new Answer.Refusal(400, String.valueOf(none.getMessage()));
    }
  }

  private static PodLogs.Options options(Head head) throws IOException {
    var tail = number(head, "tailLines");
    var since = number(head, "sinceSeconds");
    try {
      return new PodLogs.Options(
          head.isOn("follow"),
          head.isOn("previous"),
          head.isOn("timestamps"),
          tail,
          number(head, "limitBytes"),
          since.isPresent()
              ? Optional.of(Instant.now().minusSeconds(since.getAsLong()))
              : head.asked("sinceTime").map(text -> OffsetDateTime.parse(text).toInstant()));
    } catch (DateTimeParseException wrong) {
      throw new Answer.Refusal(400, "sinceTime: write a time as 2026-01-02T15:04:05Z");
    }
  }

  private static OptionalLong number(Head head, String name) throws IOException {
    var text = head.asked(name);
    if (text.isEmpty()) return OptionalLong.empty();
    try {
      long number = Long.parseLong(text.get());
      if (number >= 0) return OptionalLong.of(number);
    } catch (NumberFormatException wrong) {
      throw new Answer.Refusal(400, "%s: write a whole number".formatted(name));
    }
    throw new Answer.Refusal(400, "%s: write a number that is not below 0".formatted(name));
  }

  private static void closeWhenLeft(InputStream in, InputStream log) {
    try (log) {
      while (in.read() >= 0) {
        // a client has nothing more to say
      }
    } catch (IOException _) {
      // it has left
    }
  }

  private static void chunks(InputStream log, OutputStream out) throws IOException {
    write(
        out,
        "HTTP/1.1 200 OK\r\n"
            + "Content-Type: text/plain\r\n"
            + "Transfer-Encoding: chunked\r\n"
            + "Connection: close\r\n\r\n");
    out.flush();
    var block = new byte[BLOCK];
    for (int count = read(log, block); count >= 0; count = read(log, block)) {
      write(out, Integer.toHexString(count) + "\r\n");
      out.write(block, 0, count);
      write(out, "\r\n");
      out.flush();
    }
    write(out, "0\r\n\r\n");
    out.flush();
  }

  private static int read(InputStream log, byte[] block) throws IOException {
    try {
      return log.read(block);
    } catch (UncheckedIOException broken) {
      throw new IOException(broken.getMessage(), broken);
    }
  }

  private static void write(OutputStream out, String text) throws IOException {
    out.write(text.getBytes(StandardCharsets.ISO_8859_1));
  }
}
