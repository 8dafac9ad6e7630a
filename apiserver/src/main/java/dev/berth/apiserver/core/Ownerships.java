package dev.berth.apiserver.core;

import dev.berth.apiserver.core.managed.Ownership;
import dev.berth.apiserver.core.managed.Ownership.Reset;
import dev.berth.apiserver.core.message.Request.Part;
import dev.berth.apiserver.core.state.Served;

/// What the endpoints of a kind say of the fields that are written through them (API-81).
final class Ownerships {
  private Ownerships() {}

  static Ownership of(Draft draft, Served kind, Part part) {
    return new Ownership(
        kind.form(),
        kind.resource().apiVersion(),
        switch (part) {
          case MAIN -> "";
          case STATUS -> "status";
          case SCALE -> "scale";
          case FINALIZE -> "finalize";
        },
        switch (part) {
          case MAIN, SCALE -> kind.hasStatus() ? Reset.STATUS : Reset.NOTHING;
          case STATUS -> kind.custom().isPresent() ? Reset.ALL_BUT_STATUS : Reset.SPEC;
          case FINALIZE -> Reset.STATUS;
        },
        draft.now());
  }
}
