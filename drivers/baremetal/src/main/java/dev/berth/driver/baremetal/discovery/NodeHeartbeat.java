package dev.berth.driver.baremetal.discovery;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.berth.driver.baremetal.object.BareMetalKinds;
import dev.berth.driver.baremetal.object.BareMetalNode;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.Patch;
import dev.berth.kube.time.Time;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Says in the node's object that its driver lives (BM-170): whoever sees it no more knows that
/// nobody looks at the drives.
public final class NodeHeartbeat implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(NodeHeartbeat.class);

  /// So that three get lost before anybody minds.
  private static final Duration PERIOD = Duration.ofSeconds(20);

  private final Api api;
  private final String nodeId;
  private final Time time;
  private String trouble = ""; // one beat at a time has it
  private boolean closed; // guarded by this

  public NodeHeartbeat(Api api, String nodeId, Time time) {
    this.api = api;
    this.nodeId = nodeId;
    this.time = time;
  }

  /// Begins; returns at once.
  public void start() {
    time.start(this::beat);
  }

  /// Whatever goes wrong with one, there is a next one.
  private void beat() {
    if (isClosed()) return;
    var patch = JsonNodeFactory.instance.objectNode();
    patch.putObject("status").put(BareMetalNode.HEARTBEAT, time.now().toString());
    try {
      api.patchStatus(BareMetalKinds.NODES, BareMetalNode.key(nodeId), Patch.merge(patch));
      trouble = "";
    } catch (ApiException failed) {
      if (!String.valueOf(failed.getMessage()).equals(trouble))
        log.warn("nobody learns that this node lives: {}", failed.getMessage());
      trouble = String.valueOf(failed.getMessage());
    } catch (RuntimeException | Error defect) {
      log.error("nobody learns that this node lives", defect);
    } finally {
      time.after(PERIOD, this::beat);
    }
  }

  private synchronized boolean isClosed() {
    return closed;
  }

  /// Says it no more.
  @Override
  public synchronized void close() {
    closed = true;
  }
}
