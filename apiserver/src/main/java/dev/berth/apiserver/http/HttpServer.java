package dev.berth.apiserver.http;

import dev.berth.apiserver.ApiServer;
import dev.berth.apiserver.admission.Admittance;
import dev.berth.apiserver.http.about.Documents;
import dev.berth.apiserver.http.about.Health;
import dev.berth.apiserver.http.access.Access;
import dev.berth.apiserver.http.access.AccountTokens;
import dev.berth.apiserver.http.access.Authentication;
import dev.berth.apiserver.http.access.Reviews;
import dev.berth.apiserver.http.access.Writes;
import dev.berth.apiserver.http.stream.Sockets;
import dev.berth.apiserver.http.watch.Watches;
import dev.berth.apiserver.rights.rbac.Aggregation;
import dev.berth.apiserver.rights.rbac.Bootstrap;
import dev.berth.apiserver.rights.rbac.Rbac;
import dev.berth.apiserver.rights.token.Tokens;
import dev.berth.apiserver.tls.Credentials;
import dev.berth.kube.http.Ciphers;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Supplier;
import org.eclipse.jetty.alpn.server.ALPNServerConnectionFactory;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.http2.HTTP2Cipher;
import org.eclipse.jetty.http2.server.HTTP2ServerConnectionFactory;
import org.eclipse.jetty.io.ArrayByteBufferPool;
import org.eclipse.jetty.io.WindowRateControl;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/// The API server on a port.
///
/// Handlers run on virtual threads; selectors and the feeds of watches share a few threads of the
/// platform.
public final class HttpServer implements AutoCloseable {
  /// What a client may have open on one connection; the JDK's never opens a second (K8S-04).
  private static final int STREAMS = 1_000;

  private static final int BACKLOG = 4_096;

  /// What is kept for the next write; a thousand watches that are told at once need more, once.
  private static final long HEAP_BUFFERS = 2 * 1024 * 1024;

  private static final long DIRECT_BUFFERS = 4 * 1024 * 1024;
  private static final int HEADER_BYTES = 32 * 1024;
  private static final int THREADS = 8;
  private static final int THREAD_IDLE_MILLIS = 60_000;

  private final Server server;
  private final ServerConnector connector;
  private final Optional<Aggregation> roles;
  private final OwnUpkeep own;
  private final AuditTrail audit;

  /// How long clients may keep the server waiting, and how many.
  ///
  /// @param bodies how long a request's body may take to come (API-20)
  /// @param requests how many at once, and for how long
  /// @param streams how many at once on one connection
  record Limits(Strangers.Limits strangers, Duration bodies, Turns.Limits requests, int streams) {
    static final Limits DEFAULT =
        new Limits(Strangers.Limits.DEFAULT, Duration.ofSeconds(60), Turns.Limits.DEFAULT);

    Limits(Strangers.Limits strangers, Duration bodies, Turns.Limits requests) {
      this(strangers, bodies, requests, STREAMS);
    }

    Limits with(int streams) {
      return new Limits(strangers, bodies, requests, streams);
    }
  }

  private HttpServer(
      Server server,
      ServerConnector connector,
      Optional<Aggregation> roles,
      OwnUpkeep own,
      AuditTrail audit) {
    this.server = server;
    this.connector = connector;
    this.roles = roles;
    this.own = own;
    this.audit = audit;
  }

  /// Serves `api` until closed.
  ///
  /// @param address where to listen; port 0: any that is free
  /// @param metrics text of `/metrics`
  /// @throws PortTakenException if somebody listens there already
  /// @throws IOException if we cannot listen there for another reason
  public static HttpServer start(
      ApiServer api,
      InetSocketAddress address,
      Credentials credentials,
      PodLogs logs,
      Supplier<String> metrics)
      throws IOException {
    return start(api, address, credentials, logs, metrics, Mode.RBAC, Limits.DEFAULT);
  }

  /// The same, with another way to say who may do what.
  public static HttpServer start(
      ApiServer api,
      InetSocketAddress address,
      Credentials credentials,
      PodLogs logs,
      Supplier<String> metrics,
      Mode mode)
      throws IOException {
    return start(api, address, credentials, logs, metrics, mode, Limits.DEFAULT);
  }

  static HttpServer start(
      ApiServer api,
      InetSocketAddress address,
      Credentials credentials,
      PodLogs logs,
      Supplier<String> metrics,
      Mode mode,
      Limits limits)
      throws IOException {
    var virtual = Executors.newVirtualThreadPerTaskExecutor();
    var threads = threads(virtual);
    var buffers = new ArrayByteBufferPool(-1, -1, -1, -1, HEAP_BUFFERS, DIRECT_BUFFERS);
    var server = new Server(threads, null, buffers);
    var connector = connector(server, credentials, limits.streams());
    var strangers = new Strangers(limits.strangers(), server.getScheduler());
    connector.addBean(strangers);
    connector.setHost(address.getHostString());
    connector.setPort(address.getPort());
    server.addConnector(connector);
    var clock = InstantSource.system();
    var watches = new Watches(api, server, threads, clock);
    var keys = credentials.signingKeys();
    var tokens = new Tokens(keys, clock);
    var audit = AuditTrail.in(credentials.home(), clock);
    var rbac = new Rbac();
    var access = new Access(api, mode.authorizer(rbac));
    var admittance = new Admittance(api);
    var accountTokens = new AccountTokens(api, tokens, keys, clock, access, admittance);
    var authentication = new Authentication(api, credentials, tokens);
    var objects =
        new Objects(
            new Answers(clock),
            watches,
            new Logs(api, logs, clock),
            new Streams(api, access, admittance, logs.streams(), new Sockets(server)),
            accountTokens,
            new Writes(api, access, rbac, admittance));
    server.setErrorHandler(new TransportErrors());
    server.setHandler(
        new Dispatcher(
            api,
            virtual,
            limits.bodies(),
            authentication,
            access,
            accountTokens,
            new Reviews(api, authentication, access, rbac),
            strangers,
            new Turns(limits.requests()),
            audit,
            objects,
            new Documents(api),
            new Health(api),
            new Backups(api, clock),
            () -> metrics.get() + watches.metrics()));
    Optional<Aggregation> roles = Optional.empty();
    try {
      RootCertificate.publish(api, credentials.rootCertificate());
      listen(connector, address);
      OwnEndpoint.publish(api, OwnEndpoint.of(connector));
      if (mode == Mode.RBAC) {
        Bootstrap.ensure(api);
        roles = Optional.of(Aggregation.start(api));
      }
      start(server);
      var own = OwnUpkeep.start(api, OwnEndpoint.upkeep(OwnEndpoint.of(connector)));
      return new HttpServer(server, connector, roles, own, audit);
    } catch (IOException | RuntimeException failed) {
      roles.ifPresent(Aggregation::close);
      connector.close();
      audit.close();
      throw failed;
    }
  }

  /// Where it listens.
  public int port() {
    return connector.getLocalPort();
  }

  /// Where it can be reached, by the address that the service `kubernetes` leads to.
  public InetSocketAddress endpoint() {
    return OwnEndpoint.of(connector);
  }

  /// Where clients on this machine or, if it is bound to one, at its address find it.
  public URI url() {
    var host = connector.getHost();
    boolean everywhere = host == null || host.equals("0.0.0.0") || host.equals("::");
    var name = everywhere ? "127.0.0.1" : host;
    return URI.create("https://" + (name.contains(":") ? "[" + name + "]" : name) + ":" + port());
  }

  /// Takes no more requests and ends those that are under way, watches too.
  @Override
  public void close() {
    roles.ifPresent(Aggregation::close);
    own.close();
    try {
      server.stop();
    } catch (Exception e) {
      throw new IllegalStateException("the HTTP server does not stop", e);
    }
    audit.close();
  }

  private static QueuedThreadPool threads(Executor virtual) {
    // Jetty's own queue asks the JVM's management for its layout, a twentieth of the start.
    var queue = new LinkedBlockingQueue<Runnable>();
    var threads = new QueuedThreadPool(THREADS, 2, THREAD_IDLE_MILLIS, queue);
    threads.setName("http");
    threads.setDaemon(true);
    threads.setReservedThreads(0);
    threads.setVirtualThreadsExecutor(virtual);
    return threads;
  }

  private static ServerConnector connector(Server server, Credentials credentials, int streams) {
    var http = new HttpConfiguration();
    http.setSendServerVersion(false);
    http.setRequestHeaderSize(HEADER_BYTES);
    // Refused by Dispatcher, which hears who sends it to the end.
    http.setUriCompliance(UriCompliance.UNSAFE);
    var http1 = new HttpConnectionFactory(http);
    var http2 = new HTTP2ServerConnectionFactory(http);
    http2.setMaxConcurrentStreams(streams);
    // A client that ends all of its watches at once is no attacker; Jetty's usual 128 a second
    // would cut its connection.
    http2.setRateControlFactory(new WindowRateControl.Factory(2 * STREAMS));
    var alpn = new ALPNServerConnectionFactory();
    alpn.setDefaultProtocol(http1.getProtocol());
    var tls = new SslContextFactory.Server();
    tls.setSslContext(credentials.serverContext());
    tls.setWantClientAuth(true);
    tls.setIncludeProtocols("TLSv1.3", "TLSv1.2");
    tls.setCipherComparator(Ciphers.ORDER.thenComparing(HTTP2Cipher.COMPARATOR));
    var connector =
        new ServerConnector(
            server, 1, 1, new SslConnectionFactory(tls, alpn.getProtocol()), alpn, http2, http1);
    connector.setAcceptQueueSize(BACKLOG);
    connector.setAcceptedTcpNoDelay(true);
    return connector;
  }

  private static void listen(ServerConnector connector, InetSocketAddress address)
      throws IOException {
    try {
      connector.open();
    } catch (IOException e) {
      if (e instanceof BindException || e.getCause() instanceof BindException)
        throw new PortTakenException(address, e);
      throw e;
    }
  }

  private static void start(Server server) {
    try {
      server.start();
    } catch (Exception e) {
      throw new IllegalStateException("the HTTP server does not start", e);
    }
  }
}
