package dev.berth.driver.testing;

import java.io.IOException;

/// Called at the start of what a toy does: to hold it up, or to let it fail.
public interface Hook {
  void on(String operation) throws IOException;
}
