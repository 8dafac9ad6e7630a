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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Real sockets in a real folder.
class PluginSocketsTest implements PluginSockets.Listener {
  @TempDir Path folder;
  private final List<String> told = new CopyOnWriteArrayList<>();
  private PluginSockets sockets;

  @BeforeEach
  void watch() throws IOException {
    sockets = new PluginSockets(folder, this);
  }

  @AfterEach
  void end() {
    sockets.close();
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
  void socketsThatAreThereAtTheStartAreTold() throws IOException {
    bind("a.sock");
    sockets.start();
    tellsOf("+a.sock");
  }

  @Test
  void socketsComeAndGo() throws IOException {
    sockets.start();
    bind("a.sock");
    tellsOf("+a.sock");
    Files.delete(folder.resolve("a.sock"));
    tellsOf("+a.sock", "-a.sock");
  }

  @Test
  void foldersBelowAreWatchedToo() throws IOException {
    sockets.start();
    Files.createDirectory(folder.resolve("sub"));
    bind("sub/a.sock");
    tellsOf("+sub/a.sock");
  }

  @Test
  void otherFilesAndHiddenOnesAreIgnored() throws IOException {
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
}
