package dev.berth.node.runtime;

import java.io.Serial;

/// A container was not started, and nothing of it is left.
public final class RefusedException extends Exception {
  @Serial private static final long serialVersionUID = 1;

  /// Why not. The names are those that the kubelet gives as `reason` of a waiting container.
  public enum Reason {
    /// There is no such image here and none is fetched.
    ERR_IMAGE_NEVER_PULL("ErrImageNeverPull"),
    /// It was tried to pull the image.
    ERR_IMAGE_PULL("ErrImagePull"),
    /// It was, and will be tried again after a pause.
    IMAGE_PULL_BACK_OFF("ImagePullBackOff"),
    /// What is written there names no image.
    INVALID_IMAGE_NAME("InvalidImageName"),
    /// What the pod's containers share could not be made.
    CREATE_POD_SANDBOX_ERROR("CreatePodSandboxError"),
    /// The spec itself cannot work: no command, a path with a colon.
    CREATE_CONTAINER_CONFIG_ERROR("CreateContainerConfigError"),
    /// Root or mounts could not be made.
    CREATE_CONTAINER_ERROR("CreateContainerError"),
    /// The program is not there, or the last step failed.
    RUN_CONTAINER_ERROR("RunContainerError");

    private final String word;

    Reason(String word) {
      this.word = word;
    }

    /// As Kubernetes spells it.
    public String word() {
      return word;
    }
  }

  private final Reason reason;

  public RefusedException(Reason reason, String message) {
    super(message);
    this.reason = reason;
  }

  public RefusedException(Reason reason, String message, Throwable cause) {
    super(message, cause);
    this.reason = reason;
  }

  public Reason reason() {
    return reason;
  }
}
