package dev.berth.kube.testing;

import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/// Keeps our own log quiet in tests that provoke warnings on purpose.
public final class Silence implements BeforeAllCallback {
  private static final Logger OURS = Logger.getLogger("dev.berth");

  @Override
  public void beforeAll(ExtensionContext context) {
    OURS.setLevel(Level.OFF);
  }
}
