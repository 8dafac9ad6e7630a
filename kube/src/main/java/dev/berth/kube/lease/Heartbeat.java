package dev.berth.node.identity;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.Patch;
import dev.berth.kube.model.ObjectKey;
import dev.berth.kube.model.Resources;
import dev.berth.kube.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Renews the node's Lease, so that everybody can see that its agent lives (NRUN-13).
public final class Heartbeat implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Heartbeat.class);
  private static final String NAMESPACE = "kube-node-lease";
  private static final Duration PERIOD = Duration.ofSeconds(10);
  private static final int DURATION_SECONDS = 40;

  /// A Lease's times have six fractional digits (API-138).
  private static final DateTimeFormatter MICROS =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

  private final Api api;
  private final ObjectKey key;
  private final Time time;
  private volatile boolean closed;

  /// @param node name of the node, and of its Lease
  public Heartbeat(Api api, String node, Time time) {
    this.api = api;
    this.key = ObjectKey.of(NAMESPACE, node);
    this.time = time;
  }

  public void start() {
    time.start(this::beat);
  }

  private void beat() {
    if (closed) return;
    try {
      renew(time.now());
    } catch (ApiException failed) {
      log.warn("lease {} was not renewed: {}", key, failed.getMessage());
    }
    time.after(PERIOD, this::beat);
  }

  private void renew(Instant now) {
    var spec = spec().put("renewTime", MICROS.format(now));
    var patch = JsonNodeFactory.instance.objectNode();
    patch.set("spec", spec);
    try {
      api.patch(Resources.LEASES, key, Patch.merge(patch));
    } catch (ApiException missing) {
      if (!missing.isNotFound()) throw missing;
      var lease = patch.deepCopy();
      lease.put("apiVersion", Resources.LEASES.apiVersion()).put("kind", Resources.LEASES.kind());
      lease.putObject("metadata").put("namespace", NAMESPACE).put("name", key.name());
      api.create(Resources.LEASES, lease);
    }
  }

  private ObjectNode spec() {
    return JsonNodeFactory.instance
        .objectNode()
        .put("holderIdentity", key.name())
        .put("leaseDurationSeconds", DURATION_SECONDS);
  }

  @Override
  public void close() {
    closed = true;
  }
}
