package dev.berth.driver.serve;

import dev.berth.driver.testing.Served;
import dev.berth.driver.testing.ToyDriver;
import io.grpc.Status.Code;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;

/// A request that is refused before the driver sees it, as the specification says (ERR-02 to
/// ERR-12): a row of the validation tests.
///
/// @param id of the specification, then what is wrong
record Wrong(String id, String what, Code code, String words, Consumer<Served> call) {
  /// Longer than an id or a name can be.
  static final String LONG = "x".repeat(129);

  static Wrong invalid(String id, String what, String words, Consumer<Served> call) {
    return new Wrong(id, what, Code.INVALID_ARGUMENT, words, call);
  }

  static Wrong unknown(String id, String what, Consumer<Served> call) {
    return new Wrong(id, what, Code.NOT_FOUND, "", call);
  }

  /// A driver that fails the test if it is asked for more than whether something exists.
  static Served served(ToyDriver driver) throws IOException {
    driver.hook =
        operation -> {
          if (!List.of("volume", "stats", "nodeExpand").contains(operation))
            throw new AssertionError("the driver is asked to " + operation);
        };
    return Served.of(driver);
  }

  void assertRefused(Served served) {
    Served.assertRefused(code, words, () -> call.accept(served));
  }

  @Override
  public String toString() {
    return id + ": " + what + " is " + code;
  }
}
