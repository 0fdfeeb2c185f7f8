package io.stowline.blob.internal.operations;

import io.stowline.blob.TransferReport.Action;
import io.stowline.blob.TransferReport.Item;
import io.stowline.error.AuthenticationException;
import io.stowline.error.BadRequestException;
import io.stowline.error.ConflictException;
import io.stowline.error.NotFoundException;
import io.stowline.error.PreconditionFailedException;
import io.stowline.error.StorageException;
import io.stowline.error.internal.StatusMeaning;
import io.stowline.transport.internal.error.ServiceError;

/** Refusals of blobs in a batch, by what remains to be done. */
public final class BatchRefusals {

    /** The refusal of a folder, in an account with a hierarchical namespace, that something lies in. */
    public static final String NOT_EMPTY = "DirectoryIsNotEmpty";

    static final String NO_CONTAINER = "ContainerNotFound";

    private BatchRefusals() {}

    /** Returns whether the service has refused a blob for this reason. */
    public static boolean isRefused(Item end, String code) {
        return end.action() == Action.FAILED
                && end.error() instanceof StorageException error
                && code.equals(error.failure().errorCode());
    }

    /** Returns whether a single request for the blob, with a new proof, may succeed. */
    static boolean mayPass(ServiceError refusal) {
        StatusMeaning meaning = refusal.meaning();
        return meaning.ofService() || meaning == StatusMeaning.FOREIGN || meaning == StatusMeaning.WRONG_SIGNATURE;
    }

    static boolean noContainer(StorageException error) {
        return error instanceof NotFoundException
                && NO_CONTAINER.equals(error.failure().errorCode());
    }

    /** Returns whether the last attempt had its end: other errors reveal nothing beyond the unresolved attempts. */
    static boolean refuses(StorageException error) {
        return error instanceof ConflictException
                || error instanceof PreconditionFailedException
                || refusesRequest(error);
    }

    static boolean refusesRequest(StorageException error) {
        return error instanceof BadRequestException
                || error instanceof AuthenticationException
                || error instanceof NotFoundException;
    }
}
