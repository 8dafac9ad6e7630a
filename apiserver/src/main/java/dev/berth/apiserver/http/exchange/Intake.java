package dev.berth.apiserver.http.exchange;

import java.io.IOException;
import java.io.InterruptedIOException;
import org.eclipse.jetty.server.Request;

/// Lets large bodies in, so that only so much of what was sent is in memory at once (API-145).
public interface Intake {
  /// In bytes. What is no longer waits for nobody.
  int SMALL = 64 * 1024;

  /// Waits until there is room for a body of so many bytes, which its request has until it is
  /// answered.
  ///
  /// @throws dev.berth.apiserver.core.message.RefusedException if there is none in time
  void admit(int bytes) throws InterruptedException;

  /// Says who lets the body of a request in; nobody: it comes in at once.
  static void of(Request request, Intake intake) {
    request.setAttribute(Intake.class.getName(), intake);
  }

  /// To be called when [#SMALL] bytes of a body were read and more come.
  ///
  /// @param most bytes that will be read of it in all
  /// @throws InterruptedIOException if the request ends meanwhile
  static void large(Request request, int most) throws IOException {
    if (!(request.getAttribute(Intake.class.getName()) instanceof Intake intake)) return;
    var length = request.getLength();
    try {
      intake.admit(length > 0 && length < most ? (int) length : most);
    } catch (InterruptedException ended) {
      throw (IOException) new InterruptedIOException("while it waited for room").initCause(ended);
    }
    request.setAttribute(LARGE, true);
  }

  /// Whether the body of a request is a large one.
  static boolean isLarge(Request request) {
    return request.getAttribute(LARGE) != null;
  }

  String LARGE = Intake.class.getName() + ".large";
}
