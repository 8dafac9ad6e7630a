package dev.berth.linux.tree;

import dev.berth.linux.sys.Descriptor;
import dev.berth.linux.sys.SystemCall;
import java.lang.foreign.Arena;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;

/// The removal of a file, or of a folder with all that is in it. Folders are walked through one by
/// one, without recursion: somebody else says how deep they are.
final class Removal {
  private static final long AT_REMOVEDIR = 0x200;

  private final OpenFile parent;
  private final ArrayDeque<Doomed> open = new ArrayDeque<>();

  private static final class Doomed {
    final OpenFolder folder;
    final byte[] name;

    Doomed(OpenFolder folder, byte[] name) {
      this.folder = folder;
      this.name = name;
    }
  }

  private Removal(OpenFile parent) {
    this.parent = parent;
  }

  /// @param parent stays open
  static void of(OpenFile parent, byte[] name) {
    new Removal(parent).run(name);
  }

  private void run(byte[] name) {
    try {
      begin(name);
      while (!open.isEmpty()) {
        var next = open.element().folder.next();
        if (next.isPresent()) begin(next.get());
        else {
          var done = open.pop();
          done.folder.close();
          unlink(done.name, AT_REMOVEDIR);
        }
      }
    } finally {
      open.forEach(each -> each.folder.close());
    }
  }

  private OpenFile here() {
    return open.isEmpty() ? parent : open.element().folder.file();
  }

  private void begin(byte[] name) {
    try (var file = here().find(name, Descriptor.O_PATH)) {
      if (file.status().isDirectory()) open.push(new Doomed(OpenFolder.of(file), name));
      else unlink(name, 0);
    }
  }

  private void unlink(byte[] name, long flags) {
    try (var arena = Arena.ofConfined()) {
      SystemCall.UNLINKAT.orThrow(
          () -> "remove %s in %s".formatted(new String(name, StandardCharsets.UTF_8), here()),
          here().descriptor().number(),
          OpenFile.text(arena, name),
          flags);
    }
  }
}
