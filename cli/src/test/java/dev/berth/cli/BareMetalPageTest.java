package dev.berth.cli;

import static dev.berth.cli.PageShell.ROOT;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.linux.loop.LoopDevices;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Goes the way of docs/bare-metal.md, command by command.
class BareMetalPageTest {
  private final PageShell page;
  private final Path folder;

  BareMetalPageTest(@TempDir Path folder) throws IOException {
    this.page = new PageShell(folder);
    this.folder = folder;
  }

  @AfterEach
  void endServers() throws Exception {
    page.close();
    var loops = new LoopDevices();
    var folderOfImages = folder.resolve("h/drives/images");
    if (Files.isDirectory(folderOfImages))
      try (var images = Files.list(folderOfImages)) {
        for (var image : images.toList())
          for (var loop : loops.of(image)) loops.detach(loop.device());
      }
  }

  @Test
  void theWayLeadsThere() throws Exception {
    assumeTrue(page.run("command -v kubectl").exitCode() == 0, "no kubectl here");
    assumeTrue(
        Files.isWritable(Path.of("/dev/loop-control")), "needs root and loop devices: skipped");
    for (var shown : Document.read(ROOT.resolve("docs/bare-metal.md")).commands()) {
      if (shown.command().startsWith("./berth up")) page.serve(shown);
      else page.showsAtLast(shown);
    }
  }
}
