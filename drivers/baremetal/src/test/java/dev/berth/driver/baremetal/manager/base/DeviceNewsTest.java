package dev.berth.driver.baremetal.manager.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DeviceNewsTest {
  @TempDir private Path folder;

  /// BM-07: a disk that comes or goes is news at once, a terminal is none.
  @Test
  void disksThatComeAndGoAreNews() throws Exception {
    var told = new Semaphore(0);
    var news = new DeviceNews(folder, folder.resolve("none"), _ -> false);
    news.start(told::release);
    try {
      Files.createFile(folder.resolve("tty9"));
      Files.createFile(folder.resolve("sdb"));
      assertThat(told.tryAcquire(30, TimeUnit.SECONDS)).isTrue();
      Files.delete(folder.resolve("sdb"));
      assertThat(told.tryAcquire(30, TimeUnit.SECONDS)).isTrue();
    } finally {
      news.close();
    }
  }

  /// BM-23: which disk it is, if somebody waits for that.
  @Test
  void whatUdevNotesOfADiskIsNews() throws Exception {
    var told = new Semaphore(0);
    var notes = Files.createDirectory(folder.resolve("data"));
    var news = new DeviceNews(folder, notes, "b8:16"::equals);
    news.start(told::release);
    try {
      Files.createFile(notes.resolve("b7:0"));
      Files.createFile(notes.resolve("fresh"));
      Files.move(notes.resolve("fresh"), notes.resolve("b8:16"));
      assertThat(told.tryAcquire(30, TimeUnit.SECONDS)).isTrue();
      assertThat(told.availablePermits()).isZero();
    } finally {
      news.close();
    }
  }
}
