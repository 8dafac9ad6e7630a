package dev.berth.node.runtime.cri;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.csi.socket.SocketPath;
import dev.berth.csi.socket.SocketServer;
import dev.berth.csi.socket.Takeover;
import dev.berth.node.runtime.ImageRequest;
import dev.berth.node.runtime.ImageRequest.Policy;
import dev.berth.node.runtime.ImageRequest.RegistryLogin;
import dev.berth.node.runtime.RefusedException;
import dev.berth.node.runtime.RefusedException.Reason;
import dev.berth.node.runtime.cri.v1.ImageServiceGrpc.ImageServiceImplBase;
import dev.berth.node.runtime.cri.v1.ImageStatusRequest;
import dev.berth.node.runtime.cri.v1.ImageStatusResponse;
import dev.berth.node.runtime.cri.v1.PullImageRequest;
import dev.berth.node.runtime.cri.v1.PullImageResponse;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// How images are pulled from an engine that knows one registry and one password.
class PullsTest {
  private static final String PASSWORD = "correct-horse";

  private final List<PullImageRequest> pulls = new CopyOnWriteArrayList<>();
  private final List<String> logged = new CopyOnWriteArrayList<>();
  private final Logger root = Logger.getLogger("");
  private Level level;
  private Instant now = Instant.EPOCH;
  private SocketServer server;
  private CriConnection connection;
  private Images images;

  private final Handler listening =
      new Handler() {
        @Override
        public void publish(LogRecord line) {
          logged.add(line.getMessage() + List.of(String.valueOf(line.getThrown())));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  @BeforeEach
  void start(@TempDir Path folder) throws Exception {
    level = root.getLevel();
    root.setLevel(Level.ALL);
    listening.setLevel(Level.ALL);
    root.addHandler(listening);
    var socket = new SocketPath(folder.resolve("e.sock"));
    server =
        SocketServer.start(
            socket, Takeover.IF_DEAD, List.of(new Registry().bindService()), List.of());
    connection = new CriConnection(socket);
    images = new Images(connection, () -> now);
  }

  @AfterEach
  void stop() {
    root.removeHandler(listening);
    root.setLevel(level);
    connection.close();
    server.stop(Duration.ZERO);
  }

  private final class Registry extends ImageServiceImplBase {
    @Override
    public void imageStatus(ImageStatusRequest request, StreamObserver<ImageStatusResponse> to) {
      to.onNext(ImageStatusResponse.getDefaultInstance());
      to.onCompleted();
    }

    @Override
    public void pullImage(PullImageRequest request, StreamObserver<PullImageResponse> to) {
      pulls.add(request);
      if (request.getAuth().getPassword().equals(PASSWORD)) {
        to.onNext(PullImageResponse.newBuilder().setImageRef("sha256:1").build());
        to.onCompleted();
      } else {
        to.onError(Status.UNKNOWN.withDescription("401 Unauthorized").asRuntimeException());
      }
    }
  }

  private static RegistryLogin login(String password) {
    return new RegistryLogin("registry.example", "me", password, "");
  }

  private void obtain(RegistryLogin... logins) throws RefusedException {
    obtain("uid-1", logins);
  }

  private void obtain(String podUid, RegistryLogin... logins) throws RefusedException {
    images.obtain(
        new ImageRequest(
            podUid, "registry.example/app:1", Policy.IF_NOT_PRESENT, () -> List.of(logins)));
  }

  @Test
  void everyLoginIsTriedAndNoneIsTold() throws Exception {
    obtain(login("battery-staple"), login(PASSWORD));
    assertThat(pulls).hasSize(2);
    assertThat(pulls.getLast().getAuth().getUsername()).isEqualTo("me");
    assertThat(login(PASSWORD)).asString().doesNotContain(PASSWORD);
    assertThat(logged).noneMatch(line -> line.contains(PASSWORD) || line.contains("battery"));
  }

  @Test
  void withoutALoginTheEnginesOwnCount() {
    assertThatThrownBy(this::obtain)
        .hasMessageContaining("registry.example/app:1")
        .hasMessageContaining("401 Unauthorized");
    assertThat(pulls.getFirst().hasAuth()).isFalse();
  }

  @Test
  void onePodsWrongSecretKeepsNoOtherWaiting() throws Exception {
    assertThatThrownBy(() -> obtain("uid-1", login("battery-staple")))
        .hasMessageContaining("401 Unauthorized");
    obtain("uid-2", login(PASSWORD));
    assertThatThrownBy(() -> obtain("uid-1", login(PASSWORD)))
        .as("its own pause lasts")
        .hasMessageContaining("Back-off");
    images.forget("uid-1");
    obtain("uid-1", login(PASSWORD));
  }

  @Test
  void whatFailedIsTriedAgainAfterAPause() throws Exception {
    var reasons = new CopyOnWriteArrayList<Reason>();
    for (int second : new int[] {0, 5, 10, 25, 30}) {
      now = Instant.ofEpochSecond(second);
      try {
        obtain(login("battery-staple"));
      } catch (RefusedException refused) {
        assertThat(refused.getMessage()).doesNotContain("battery");
        reasons.add(refused.reason());
      }
    }
    assertThat(reasons)
        .containsExactly(
            Reason.ERR_IMAGE_PULL,
            Reason.IMAGE_PULL_BACK_OFF,
            Reason.ERR_IMAGE_PULL,
            Reason.IMAGE_PULL_BACK_OFF,
            Reason.ERR_IMAGE_PULL);
    now = Instant.ofEpochSecond(1000);
    obtain(login(PASSWORD));
  }
}
