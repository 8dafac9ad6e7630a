package dev.berth.apiserver.http.watch;

import dev.berth.apiserver.ApiServer;
import dev.berth.apiserver.WatchAnswer;
import dev.berth.apiserver.WatchStream;
import dev.berth.apiserver.core.message.ListOptions;
import dev.berth.apiserver.core.message.RefusedException;
import dev.berth.apiserver.core.message.WatchEvent;
import dev.berth.apiserver.core.message.WatchRequest;
import dev.berth.apiserver.core.state.Served;
import dev.berth.apiserver.http.access.Access;
import dev.berth.apiserver.http.exchange.Accepted;
import dev.berth.apiserver.http.exchange.Accepted.Encoding;
import dev.berth.apiserver.http.exchange.Accepted.Shape;
import dev.berth.apiserver.http.exchange.Exchange;
import dev.berth.apiserver.http.exchange.Options;
import dev.berth.apiserver.http.exchange.ResourcePath;
import dev.berth.apiserver.http.exchange.TransportRefusals;
import dev.berth.apiserver.rights.User;
import dev.berth.kube.object.Resource;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.websocket.core.server.WebSocketMappings;
import org.eclipse.jetty.websocket.core.server.WebSocketNegotiator;
import org.eclipse.jetty.websocket.core.server.WebSocketServerComponents;
import org.jspecify.annotations.Nullable;

/// Answers watches, by chunks or over a WebSocket as the client wishes.
public final class Watches {
  private final WatchMeter meter = new WatchMeter();
  private final OpenWatches open = new OpenWatches(OpenWatches.Limits.DEFAULT);
  private final ApiServer api;
  private final Server server;
  private final Executor executor;
  private final InstantSource clock;
  private @Nullable WebSocketMappings sockets;

  /// @param executor where feeds run when there is something new
  public Watches(ApiServer api, Server server, Executor executor, InstantSource clock) {
    this.api = api;
    this.server = server;
    this.executor = executor;
    this.clock = clock;
  }

  public void answer(Exchange exchange, ResourcePath path) throws InterruptedException {
    boolean socket = exchange.header(HttpHeader.UPGRADE).equalsIgnoreCase("websocket");
    var options = wanted(Options.list(exchange.query()), path);
    var encoder = encoder(exchange, path, socket);
    var life = WatchFeed.life(exchange.query().number("timeoutSeconds").orElse(0));
    var wake = new WatchFeed.Wake(executor);
    switch (api.watch(new WatchRequest(path.resource(), path.namespace(), options), wake)) {
      case WatchAnswer.Refused(var refusal) -> exchange.refuse(refusal);
      case WatchAnswer.Streaming(var opened) -> {
        var stream = counted(opened, Access.caller(exchange), path.resource());
        var start = new Start(stream, encoder, wake, options.allowWatchBookmarks(), life);
        if (socket) socket(exchange, start);
        else chunks(exchange, start);
      }
    }
  }

  /// The old path of a single object watches just that (API-56).
  private static ListOptions wanted(ListOptions options, ResourcePath path) {
    if (path.collection()) return options;
    var name = "metadata.name=" + path.name();
    var fields = options.fieldSelector();
    return options.selecting(
        options.labelSelector(), fields.isEmpty() ? name : fields + "," + name);
  }

  /// What watches were sent so far, as `/metrics` shows it (API-136).
  public String metrics() {
    return meter.text();
  }

  private WatchStream counted(WatchStream stream, User user, Resource resource)
      throws InterruptedException {
    long since = System.nanoTime();
    try {
      return new Counted(stream, open.open(user), event -> meter.note(resource, event, since));
    } catch (RefusedException | InterruptedException refused) {
      stream.close();
      throw refused;
    }
  }

  /// Counts as open until it is closed.
  private static final class Counted implements WatchStream {
    private final WatchStream stream;
    private final Runnable ended;
    private final Consumer<WatchEvent> seen;
    private final AtomicBoolean counts = new AtomicBoolean(true);

    Counted(WatchStream stream, Runnable ended, Consumer<WatchEvent> seen) {
      this.stream = stream;
      this.ended = ended;
      this.seen = seen;
    }

    @Override
    public Optional<WatchEvent> poll() {
      var event = stream.poll();
      event.ifPresent(seen);
      return event;
    }

    @Override
    public Optional<WatchEvent> next(Duration atMost) throws InterruptedException {
      var event = stream.next(atMost);
      event.ifPresent(seen);
      return event;
    }

    @Override
    public WatchEvent.Bookmark bookmark() {
      return stream.bookmark();
    }

    @Override
    public boolean closed() {
      return stream.closed();
    }

    @Override
    public void close() {
      stream.close();
      if (counts.compareAndSet(true, false)) ended.run();
    }
  }

  /// All that a feed needs but an outlet.
  private record Start(
      WatchStream stream,
      EventEncoder encoder,
      WatchFeed.Wake wake,
      boolean bookmarks,
      Duration life) {}

  /// Over a WebSocket an event is a text (API-57).
  private static Encoding[] encodings(Served kind, boolean socket) {
    return kind.custom().isPresent() || socket
        ? new Encoding[] {Encoding.JSON}
        : new Encoding[] {Encoding.JSON, Encoding.PROTOBUF};
  }

  private EventEncoder encoder(Exchange exchange, ResourcePath path, boolean socket) {
    var accepted =
        Accepted.of(
            exchange.headers(HttpHeader.ACCEPT),
            encodings(path.kind(), socket),
            Shape.OBJECT,
            Shape.METADATA,
            Shape.TABLE);
    return new EventEncoder(path.kind(), accepted, Options.included(exchange.query()), clock);
  }

  private WatchFeed feed(Start start, Outlet outlet) {
    return new WatchFeed(
        start.stream(),
        start.encoder(),
        outlet,
        server.getScheduler(),
        start.bookmarks(),
        start.life());
  }

  private void chunks(Exchange exchange, Start start) {
    var request = exchange.request();
    var feed = feed(start, new ChunkedOutlet(exchange, start.encoder().encoding()));
    request.addIdleTimeoutListener(_ -> feed.stalled());
    request.addFailureListener(feed::abort);
    exchange.onDeparture(feed::abort);
    start.wake().connect(feed);
  }

  private void socket(Exchange exchange, Start start) {
    var outlet = new SocketOutlet(start.wake());
    outlet.feedBy(feed(start, outlet));
    WebSocketNegotiator negotiator = (_, _, _) -> outlet;
    boolean upgraded = false;
    try {
      upgraded =
          sockets()
              .upgrade(
                  negotiator, exchange.request(), exchange.response(), exchange.callback(), null);
    } finally {
      if (!upgraded) start.stream().close();
    }
    if (!upgraded) throw TransportRefusals.badRequest("the request is no WebSocket handshake");
  }

  /// Loaded when the first client wants one.
  private synchronized WebSocketMappings sockets() {
    var made = sockets;
    if (made == null)
      made = new WebSocketMappings(WebSocketServerComponents.ensureWebSocketComponents(server));
    sockets = made;
    return made;
  }
}
