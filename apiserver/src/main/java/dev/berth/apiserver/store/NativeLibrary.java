package dev.berth.apiserver.store;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import org.sqlite.SQLiteJDBCLoader;
import org.sqlite.util.LibraryLoaderUtil;

/// SQLite's native library, unpacked once into a folder of ours. The driver would unpack it into
/// the temporary folder at every start, which costs time and stays behind after `kill -9`
/// (STORE-06).
final class NativeLibrary {
  private static final String FOLDER = "org.sqlite.lib.path";
  private static final String FILE = "org.sqlite.lib.name";

  private NativeLibrary() {}

  /// Makes the driver load the library from `folder`. The first folder of a process stays.
  static synchronized void unpack(Path folder) throws StoreException {
    if (System.getProperty(FOLDER) != null) return;
    var name = LibraryLoaderUtil.getNativeLibName();
    var home = folder.resolve("sqlite-" + SQLiteJDBCLoader.getVersion());
    try {
      if (!Files.exists(home.resolve(name))) unpack(name, home);
    } catch (IOException e) {
      throw new StoreException("cannot unpack SQLite's library into " + home + ": " + e, e);
    }
    System.setProperty(FOLDER, home.toString());
    System.setProperty(FILE, name);
  }

  /// In a file of another name first, and on disk before it gets its own: one that is there is
  /// whole, also after a loss of power.
  private static void unpack(String name, Path home) throws IOException {
    Files.createDirectories(home);
    var resource = LibraryLoaderUtil.getNativeLibResourcePath() + "/" + name;
    var partial = Files.createTempFile(home, name, ".partial");
    try (var in = SQLiteJDBCLoader.class.getResourceAsStream(resource)) {
      if (in == null) throw new IOException("SQLite's driver has no " + resource);
      Files.copy(in, partial, StandardCopyOption.REPLACE_EXISTING);
      sync(partial, StandardOpenOption.WRITE);
      Files.move(partial, home.resolve(name), StandardCopyOption.ATOMIC_MOVE);
      sync(home, StandardOpenOption.READ);
    } finally {
      Files.deleteIfExists(partial);
    }
  }

  private static void sync(Path path, StandardOpenOption how) throws IOException {
    try (var channel = FileChannel.open(path, how)) {
      channel.force(true);
    }
  }
}
