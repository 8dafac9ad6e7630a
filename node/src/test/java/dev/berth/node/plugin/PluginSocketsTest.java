package dev.berth.node.plugin;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Real sockets in a real folder.
class PluginSocketsTest implements PluginSockets.Listener {
  @TempDir Path folder;
  private final List<String> told = new CopyOnWriteArrayList<>();
  @AutoClose private PluginSockets sockets;

  @BeforeEach
  void watch() throws IOException {
    sockets = new PluginSockets(folder, this);
  }

  @Override
  public void appeared(Path socket) {
    told.add("+" + folder.relativize(socket));
  }

  @Override
  public void vanished(Path socket) {
    told.add("-" + folder.relativize(socket));
  }

  private void bind(String name) throws IOException {
    try (var server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      server.bind(UnixDomainSocketAddress.of(folder.resolve(name))); // its file stays
    }
  }

  private void tellsOf(String... changes) {
    await().until(() -> told.equals(List.of(changes)));
  }

  @Test
  void socketsThatAreThereAtTheStartAreTold() throws IOException { // NREG-02
    bind("a.sock");
    sockets.start();
    tellsOf("+a.sock");
  }

  @Test
  void socketsComeAndGo() throws IOException { // NREG-12: each once, however often it is seen
    sockets.start();
    bind("a.sock");
    tellsOf("+a.sock");
    Files.delete(folder.resolve("a.sock"));
    tellsOf("+a.sock", "-a.sock");
  }

  @Test
  void foldersBelowAreWatchedToo() throws IOException { // NREG-02, NREG-10, REG-10
    sockets.start();
    Files.createDirectory(folder.resolve("sub"));
    bind("sub/a.sock");
    tellsOf("+sub/a.sock");
  }

  @Test
  void otherFilesAndHiddenOnesAreIgnored() throws IOException { // NREG-02
    Files.createFile(folder.resolve("file"));
    bind(".hidden.sock");
    bind("a.sock");
    sockets.start();
    tellsOf("+a.sock");
  }

  @Test
  void aSocketThatTakesAnothersPlaceIsTheOldOneGoneAndANewOne() throws IOException {
    sockets.start();
    bind("a.sock");
    tellsOf("+a.sock");
    bind("new.tmp");
    Files.move(folder.resolve("new.tmp"), folder.resolve("a.sock"), StandardCopyOption.ATOMIC_MOVE);
    tellsOf("+a.sock", "-a.sock", "+a.sock");
  }

  @Test
  void foldersThatGoWhileWeLookEndNothing() throws Exception {
    sockets.start();
    for (int i = 0; i < 5000; i++) Files.delete(Files.createDirectory(folder.resolve("d" + i)));
    bind("a.sock");
    tellsOf("+a.sock");
  }

  @Test
  void aRegistryThatIsRemovedAndMadeAgainIsWatchedAgain() throws Exception {
    var registry = folder.resolve("registry");
    try (var again = new PluginSockets(registry, this)) {
      again.start();
      Files.createDirectories(registry);
      bind("registry/a.sock");
      tellsOf("+registry/a.sock");
      Files.delete(registry.resolve("a.sock"));
      Files.delete(registry);
      await().until(() -> Files.exists(registry));
      bind("registry/b.sock");
      tellsOf("+registry/a.sock", "-registry/a.sock", "+registry/b.sock");
    }
  }

  @Test
  void aListenerInTroubleIsToldAgain() throws Exception {
    var calls = new AtomicInteger();
    var stumbling =
        new PluginSockets.Listener() {
          @Override
          public void appeared(Path socket) {
            if (calls.incrementAndGet() == 1) throw new IllegalStateException("stumbled");
            PluginSocketsTest.this.appeared(socket);
          }

          @Override
          public void vanished(Path socket) {}
        };
    try (var watched = new PluginSockets(folder, stumbling)) {
      watched.start();
      bind("a.sock");
      tellsOf("+a.sock");
    }
  }
}
