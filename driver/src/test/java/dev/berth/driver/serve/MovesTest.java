package dev.berth.driver.serve;

import static dev.berth.driver.testing.Served.assertRefused;
import static dev.berth.driver.testing.Served.mount;
import static dev.berth.driver.testing.Served.wanted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.berth.csi.client.CsiException;
import dev.berth.csi.v1.ControllerPublishVolumeRequest;
import dev.berth.csi.v1.ControllerUnpublishVolumeRequest;
import dev.berth.csi.v1.CreateSnapshotRequest;
import dev.berth.csi.v1.DeleteVolumeRequest;
import dev.berth.csi.v1.VolumeCapability.AccessMode.Mode;
import dev.berth.driver.testing.Served;
import dev.berth.driver.testing.ToyDriver;
import io.grpc.Status.Code;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Calls for one volume on two nodes at the same time (CON-01): they do not wait for each other,
/// and never both have what only one may have (CTL-03).
class MovesTest {
  private static final String A = "toy-node";
  private static final String B = "other";

  private final ToyDriver driver = new ToyDriver();
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch mayGoOn = new CountDownLatch(1);
  private Served served;
  private String id;

  @BeforeEach
  void serve() throws IOException {
    served = Served.of(driver);
    var wish = wanted("one").clearVolumeCapabilities();
    for (var mode :
        List.of(
            Mode.SINGLE_NODE_WRITER, Mode.MULTI_NODE_MULTI_WRITER, Mode.MULTI_NODE_SINGLE_WRITER))
      wish.addVolumeCapabilities(mount(mode));
    id = served.create(wish);
  }

  @AfterEach
  void end() throws IOException {
    mayGoOn.countDown();
    served.close();
  }

  /// Holds up the first call of `operation`; later ones pass.
  private void holdUpFirst(String operation) {
    var first = new AtomicBoolean(true);
    driver.hook =
        asked -> {
          if (!asked.equals(operation) || !first.getAndSet(false)) return;
          begun.countDown();
          try {
            mayGoOn.await();
          } catch (InterruptedException e) {
            throw new IOException("interrupted", e);
          }
        };
  }

  private static CompletableFuture<Void> beside(Runnable call) {
    return CompletableFuture.runAsync(call, Thread::startVirtualThread);
  }

  private void awaitBegun() throws InterruptedException {
    assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
  }

  private void publish(String node, Mode mode, boolean readOnly) {
    served
        .controller()
        .controllerPublishVolume(
            ControllerPublishVolumeRequest.newBuilder()
                .setVolumeId(id)
                .setNodeId(node)
                .setReadonly(readOnly)
                .setVolumeCapability(mount(mode))
                .build());
  }

  private void publish(String node, Mode mode) {
    publish(node, mode, false);
  }

  private void unpublish(String node) {
    served
        .controller()
        .controllerUnpublishVolume(
            ControllerUnpublishVolumeRequest.newBuilder().setVolumeId(id).setNodeId(node).build());
  }

  @Test
  void aVolumeForManyComesToTwoNodesAtTheSameTime() throws Exception {
    holdUpFirst("publish");
    var slow = beside(() -> publish(A, Mode.MULTI_NODE_MULTI_WRITER));
    awaitBegun();
    assertThatCode(() -> publish(B, Mode.MULTI_NODE_MULTI_WRITER)).doesNotThrowAnyException();
    assertRefused(
        Code.ABORTED,
        "volume " + id + " on " + A + " is held by ControllerPublishVolume",
        () -> publish(A, Mode.MULTI_NODE_MULTI_WRITER));
    assertThat(slow).isNotDone();
    mayGoOn.countDown();
    slow.get(30, TimeUnit.SECONDS);
  }

  @Test
  void aVolumeForOneIsNotDecidedTwice() throws Exception {
    holdUpFirst("publish");
    var slow = beside(() -> publish(A, Mode.SINGLE_NODE_WRITER));
    awaitBegun();
    assertRefused(
        Code.ABORTED, "is being published on " + A, () -> publish(B, Mode.SINGLE_NODE_WRITER));
    mayGoOn.countDown();
    slow.get(30, TimeUnit.SECONDS);
    assertRefused(
        Code.FAILED_PRECONDITION,
        "is published on " + A,
        () -> publish(B, Mode.SINGLE_NODE_WRITER));
  }

  @Test
  void theOneWriterIsNotDecidedTwice() throws Exception {
    holdUpFirst("publish");
    var slow = beside(() -> publish(A, Mode.MULTI_NODE_SINGLE_WRITER));
    awaitBegun();
    assertRefused(
        Code.ABORTED,
        "is being published on " + A,
        () -> publish(B, Mode.MULTI_NODE_SINGLE_WRITER));
    assertThatCode(() -> publish(B, Mode.MULTI_NODE_SINGLE_WRITER, true))
        .doesNotThrowAnyException();
    mayGoOn.countDown();
    slow.get(30, TimeUnit.SECONDS);
  }

  /// A storage may forget a node before it is really detached.
  @Test
  void nobodyComesWhileTheLastOneIsLeaving() throws Exception {
    publish(A, Mode.SINGLE_NODE_WRITER);
    holdUpFirst("unpublished");
    var slow = beside(() -> unpublish(A));
    awaitBegun();
    assertRefused(Code.ABORTED, "is just leaving " + A, () -> publish(B, Mode.SINGLE_NODE_WRITER));
    mayGoOn.countDown();
    slow.get(30, TimeUnit.SECONDS);
    publish(B, Mode.SINGLE_NODE_WRITER);
  }

  @Test
  void aVolumeIsNotDeletedWhileItComesAndMayBeCut() throws Exception {
    holdUpFirst("publish");
    var slow = beside(() -> publish(A, Mode.SINGLE_NODE_WRITER));
    awaitBegun();
    assertRefused(
        Code.ABORTED,
        "held by ControllerPublishVolume",
        () ->
            served
                .controller()
                .deleteVolume(DeleteVolumeRequest.newBuilder().setVolumeId(id).build()));
    served
        .controller()
        .createSnapshot(
            CreateSnapshotRequest.newBuilder().setName("cut").setSourceVolumeId(id).build());
    mayGoOn.countDown();
    slow.get(30, TimeUnit.SECONDS);
  }

  @Test
  void ofManyAtOnceOneHasIt() throws Exception {
    for (var round = 0; round < 100; round++) {
      var start = new CyclicBarrier(4);
      var has = new ArrayList<String>();
      var calls = new ArrayList<CompletableFuture<Void>>();
      for (var caller = 0; caller < 4; caller++) {
        var node = caller % 2 == 0 ? A : B;
        calls.add(
            beside(() -> {
              try {
                start.await(30, TimeUnit.SECONDS);
                publish(node, Mode.SINGLE_NODE_WRITER);
                synchronized (has) {
                  has.add(node);
                }
              } catch (CsiException refused) {
                assertThat(refused.code()).isIn(Code.ABORTED, Code.FAILED_PRECONDITION);
              } catch (Exception e) {
                throw new IllegalStateException(e);
              }
            }));
      }
      for (var call : calls) call.get(30, TimeUnit.SECONDS);
      assertThat(has).isNotEmpty();
      assertThat(has.stream().distinct()).hasSize(1);
      unpublish(has.getFirst());
    }
  }
}
