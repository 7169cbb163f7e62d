"""The kit of faults: the names that a module of faults writes with, `from faults.kit import *`.

Their declarations and circumstances, what several of them share, and what they reach for in the provider and in the API (`seams`).
"""

from faults.kit.arrivals import *
from faults.kit.asynchronous import *
from faults.kit.branches import *
from faults.kit.common import *
from faults.kit.connections import *
from faults.kit.copies import *
from faults.kit.declaring import *
from faults.kit.delays import *
from faults.kit.messages import *
from faults.kit.patch import *
from faults.kit.pauses import *
from faults.kit.seams import *
from faults.kit.selectors import *
from faults.kit.servers import *
from faults.kit.sessions import *
from faults.kit.striking import *
from faults.kit.subscriptions import *
from faults.kit.temporaries import *
