package dev.berth.apiserver.rights.audit;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;
import dev.berth.apiserver.rights.Attributes;
import dev.berth.apiserver.rights.User;
import dev.berth.apiserver.rights.audit.AuditPolicy.Level;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Writes one line for each request into a file, on a thread of its own. When the file is full it
/// becomes `….1`, in place of the one before.
public final class AuditLog implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(AuditLog.class);
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int MOST_WAITING = 10_000;
  private static final long MOST_BYTES_WAITING = 4 << 20;
  private static final int LONGEST_TEXT = 1_024;
  private static final byte[] LAST = {};

  private final AuditPolicy policy;
  private final Path file;
  private final long mostBytes;
  private final BlockingQueue<byte[]> waiting = new LinkedBlockingQueue<>(MOST_WAITING);
  private final AtomicLong bytesWaiting = new AtomicLong();
  private final AtomicLong dropped = new AtomicLong();
  private final AtomicBoolean keepsUp = new AtomicBoolean(true);
  private final Thread thread;

  private AuditLog(AuditPolicy policy, Path file, long mostBytes) {
    this.policy = policy;
    this.file = file;
    this.mostBytes = mostBytes;
    this.thread = Thread.ofPlatform().name("audit log").daemon().unstarted(this::run);
  }

  /// @param mostBytes about how large the file becomes
  public static AuditLog start(AuditPolicy policy, Path file, long mostBytes) {
    var audit = new AuditLog(policy, file, mostBytes);
    audit.thread.start();
    return audit;
  }

  /// A request that was answered.
  ///
  /// @param level how much of it is written, not `NONE`
  /// @param user whose credential it showed
  /// @param actor on whose behalf it acted
  /// @param uri path and query
  /// @param source address of the client
  /// @param asked what it said, in JSON; empty: nothing, or that is not written
  /// @param said what was answered, likewise
  public record Entry(
      Level level,
      String id,
      User user,
      User actor,
      Attributes wish,
      String uri,
      String userAgent,
      String source,
      int code,
      Instant received,
      Instant answered,
      String asked,
      String said) {}

  /// How much of a request is to be written down.
  public Level level(User user, Attributes wish) {
    return policy.level(user, wish);
  }

  /// Never blocks.
  public void add(Entry entry) {
    var line = line(entry);
    if (bytesWaiting.addAndGet(line.length) <= MOST_BYTES_WAITING && waiting.offer(line)) return;
    bytesWaiting.addAndGet(-line.length);
    dropped.incrementAndGet();
    if (keepsUp.compareAndSet(true, false))
      log.warn("the audit log does not keep up: requests are not written down");
  }

  /// How many requests could not be written down.
  public long dropped() {
    return dropped.get();
  }

  private static byte[] line(Entry entry) {
    var event = JsonNodeFactory.instance.objectNode();
    event
        .put("kind", "Event")
        .put("apiVersion", "audit.k8s.io/v1")
        .put("level", entry.level().word)
        .put("auditID", entry.id())
        .put("stage", "ResponseComplete")
        .put("requestURI", cut(entry.uri()))
        .put("verb", entry.wish().verb());
    describe(entry.user(), event.putObject("user"));
    if (!entry.actor().equals(entry.user()))
      describe(entry.actor(), event.putObject("impersonatedUser"));
    event.putArray("sourceIPs").add(entry.source());
    event.put("userAgent", cut(entry.userAgent()));
    if (entry.wish().isResource()) refer(entry.wish(), event.putObject("objectRef"));
    event.putObject("responseStatus").putObject("metadata");
    event.withObject("responseStatus").put("code", entry.code());
    if (!entry.asked().isEmpty()) event.putRawValue("requestObject", new RawValue(entry.asked()));
    if (!entry.said().isEmpty()) event.putRawValue("responseObject", new RawValue(entry.said()));
    event
        .put("requestReceivedTimestamp", entry.received().toString())
        .put("stageTimestamp", entry.answered().toString());
    try {
      var line = JSON.writeValueAsString(event) + "\n";
      return line.getBytes(StandardCharsets.UTF_8);
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException("a JSON tree has a text", impossible);
    }
  }

  private static void describe(User user, ObjectNode to) {
    to.put("username", cut(user.name()));
    if (!user.uid().isEmpty()) to.put("uid", cut(user.uid()));
    user.groups().forEach(to.putArray("groups")::add);
    if (user.extra().isEmpty()) return;
    var extra = to.putObject("extra");
    new TreeMap<>(user.extra()).forEach((key, values) -> values.forEach(extra.putArray(key)::add));
  }

  private static void refer(Attributes wish, ObjectNode to) {
    to.put("resource", cut(wish.resource()));
    if (!wish.namespace().isEmpty()) to.put("namespace", cut(wish.namespace()));
    if (!wish.name().isEmpty()) to.put("name", cut(wish.name()));
    if (!wish.group().isEmpty()) to.put("apiGroup", cut(wish.group()));
    to.put("apiVersion", cut(wish.version()));
    if (!wish.subresource().isEmpty()) to.put("subresource", cut(wish.subresource()));
  }

  private static String cut(String text) {
    return text.length() <= LONGEST_TEXT ? text : text.substring(0, LONGEST_TEXT);
  }

  private void run() {
    boolean well = true;
    try {
      for (var line = waiting.take(); line != LAST; line = waiting.take()) {
        bytesWaiting.addAndGet(-line.length);
        try {
          write(line);
          well = true;
          if (waiting.isEmpty()) keepsUp.set(true);
        } catch (IOException full) {
          dropped.incrementAndGet();
          if (well) log.warn("the audit log cannot be written: {}", full.toString());
          well = false;
        }
      }
    } catch (InterruptedException stopping) {
      log.debug("the audit log ends");
    }
  }

  private void write(byte[] line) throws IOException {
    if (Files.exists(file) && Files.size(file) + line.length > mostBytes)
      Files.move(
          file,
          file.resolveSibling(file.getFileName() + ".1"),
          StandardCopyOption.REPLACE_EXISTING);
    var owner = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    var append =
        Set.of(StandardOpenOption.CREATE, StandardOpenOption.APPEND, StandardOpenOption.WRITE);
    try (var out = FileChannel.open(file, append, owner)) {
      var bytes = ByteBuffer.wrap(line);
      while (bytes.hasRemaining()) out.write(bytes);
    }
  }

  /// What waits is written first.
  @Override
  public void close() {
    try {
      waiting.put(LAST);
      thread.join();
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt();
    }
  }
}
