package dev.berth.apiserver.core;

import dev.berth.apiserver.core.message.Answer;
import dev.berth.apiserver.core.state.State;
import dev.berth.apiserver.core.state.Written;
import java.util.List;

/// What came of a request to write.
///
/// @param state after it; the same as before if nothing was written
/// @param written in order; what must be stored before `answer` is given
public record Outcome(State state, Answer answer, List<Written> written) {
  public Outcome {
    written = List.copyOf(written);
  }
}
