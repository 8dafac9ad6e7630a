package dev.berth.apiserver.core;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.apiserver.core.managed.Managers;
import dev.berth.apiserver.core.managed.Ownership;
import dev.berth.apiserver.core.managed.Ownership.Reset;
import dev.berth.apiserver.core.message.Refusals;
import dev.berth.apiserver.core.message.RefusedException;
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

  /// @param managers `managedFields` as they are to be stored
  static void checkExtent(JsonNode managers) {
    if (Managers.areTooLong(managers))
      throw new RefusedException(
          Refusals.tooLarge(
              "metadata.managedFields of %d managers are too long: limit is %d"
                  .formatted(managers.size(), Managers.MOST_CHARACTERS)));
  }
}
