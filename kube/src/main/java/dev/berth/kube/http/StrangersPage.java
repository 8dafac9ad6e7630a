package dev.berth.kube.http;

import dev.berth.kube.api.ApiException;
import java.io.IOException;

/// Nothing is at a path, says somebody who does not say it as an API server: a load balancer that
/// has lost its servers, or a server that does not know the path's kind. [Served] tells them apart.
final class StrangersPage extends ApiException.Unreachable {
  private static final long serialVersionUID = 1;

  StrangersPage(String words) {
    super(words, new IOException(words));
  }
}
